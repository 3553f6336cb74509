/**
 * The older methods of existing plugins: completions by `getCompletions`, and the questions about an
 * account, which are answered as for somebody who is signed in: there is no account.
 */
import { ResponseError } from "vscode-languageserver/node";
import { arrayItems, objectFields, optionalInteger } from "../protocol/decode.ts";
import { ask } from "./ask.ts";
import type { RequestHandler } from "./handler.ts";
import { type LegacyCompletion, legacyCompletion } from "./offered-item.ts";
import {
  decodeIds,
  decodeLength,
  decodePosition,
  decodeWord,
  fieldsOf,
  type InlineQuestion,
  uriOf,
} from "./params.ts";
import { rpcCodes } from "./rpc-error.ts";
import type { Session } from "./session.ts";

const signedIn = { status: "OK", user: "midspan" } as const;

export const legacyRequests: Readonly<Record<string, RequestHandler>> = {
  setEditorInfo: (session) => {
    // Some plugins introduce themselves only now; they draw what `getCompletions` answers.
    session.drawsInline = true;
    return "OK";
  },
  notifyChangeConfiguration: () => "OK",
  getVersion: (session) => ({
    version: session.options.version,
    buildType: "prod",
    runtimeVersion: `node/${process.versions.node}`,
  }),
  checkStatus: () => signedIn,
  checkFileStatus: () => ({ status: "included" }),
  signIn: () => ({ ...signedIn, status: "AlreadySignedIn" }),
  signInInitiate: () => ({ ...signedIn, status: "AlreadySignedIn" }),
  signInConfirm: () => signedIn,
  signOut: () => signedIn,

  getCompletions: async (session, params, signal) => ({
    completions: await completionsOf(session, params, { trigger: "automatic", signal }),
  }),
  getCompletionsCycling: async (session, params, signal) => ({
    completions: await completionsOf(session, params, { trigger: "invoked", signal }),
  }),
  getPanelCompletions: async (session, params, signal) => {
    const panelId = decodeWord(fieldsOf(params).panelId, "panelId") ?? "";
    const completions = await completionsOf(session, params, { trigger: "invoked", signal });
    for (const [index, completion] of completions.entries()) {
      const { uuid, text, displayText, range } = completion;
      const solution = { panelId, range, completionText: text, displayText, docVersion: 0 };
      session.tell("PanelSolution", { ...solution, solutionId: uuid, score: -index });
    }
    session.tell("PanelSolutionsDone", { panelId, status: "OK" });
    return { solutionCountTarget: completions.length };
  },
  notifyShown: (session, params) => {
    const [uuid] = decodeIds([fieldsOf(params).uuid], "uuid");
    session.suggestions.shown(uuid ?? "");
    return "OK";
  },
  notifyAccepted: async (session, params) => {
    const fields = fieldsOf(params);
    const [uuid = ""] = decodeIds([fields.uuid], "uuid");
    const length = decodeLength(fields.acceptedLength, "acceptedLength");
    if (length === undefined) await session.suggestions.accepted(uuid);
    else session.suggestions.acceptedAfterCursor(uuid, length);
    return "OK";
  },
  notifyRejected: (session, params) => {
    const { uuids } = fieldsOf(params);
    for (const uuid of decodeIds(arrayItems(uuids, "uuids", 1000), "uuids")) {
      session.suggestions.rejected(uuid);
    }
    return "OK";
  },
  /** Edits elsewhere than at the cursor are nothing that we suggest. */
  "textDocument/copilotInlineEdit": () => ({ edits: [] }),
};

/** Legacy clients know no errors here: whatever does not fit is an empty list. */
async function completionsOf(
  session: Session,
  params: unknown,
  options: { readonly trigger: InlineQuestion["trigger"]; readonly signal: AbortSignal },
): Promise<readonly LegacyCompletion[]> {
  const doc = objectFields(fieldsOf(params).doc, "doc");
  const question: InlineQuestion = {
    uri: uriOf(doc, "doc"),
    version: optionalInteger(doc.version, "doc.version", versions) ?? null,
    position: decodePosition(doc.position, "doc.position"),
    trigger: options.trigger,
    shownAs: "inline",
    selected: null,
  };
  try {
    const answer = await ask(session, question, options.signal);
    if (answer.kind !== "items") return [];
    return answer.items.map((item) => legacyCompletion(item, session.profile));
  } catch (error) {
    const isModified = error instanceof ResponseError && error.code === rpcCodes.contentModified;
    if (isModified) return [];
    throw error;
  }
}

const versions = { min: -(2 ** 31), max: 2 ** 31 - 1 };
