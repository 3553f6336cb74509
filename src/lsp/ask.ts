import type { Answer } from "./inline-completions.ts";
import type { InlineQuestion } from "./params.ts";
import { rpcCodes, rpcError } from "./rpc-error.ts";
import type { Session } from "./session.ts";

/**
 * Asks for a completion. Throws the protocol's errors for a document that is not open, and for a
 * version that it does not have.
 */
export async function ask(
  session: Session,
  question: InlineQuestion,
  signal: AbortSignal,
): Promise<Answer> {
  const found = session.find(question.uri);
  if (found === null) {
    throw rpcError(rpcCodes.invalidParams, `the document is not open: ${question.uri}`);
  }
  const { document } = found;
  if (question.version !== null && question.version !== document.version) {
    session.completions.stop(question.uri);
    const message = `version ${question.version} was asked for, ${document.version} is open`;
    throw rpcError(rpcCodes.contentModified, message);
  }
  return session.completions.ask({ question, ...found }, { signal });
}
