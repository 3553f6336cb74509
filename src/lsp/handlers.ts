/** The messages that an initialized client may send, by method. */
import type { CompletionList, InlineCompletionList } from "vscode-languageserver/node";
import { isAbsent, objectFields, requiredString } from "../protocol/decode.ts";
import { ask } from "./ask.ts";
import { folderPaths, record } from "./client-profile.ts";
import type { NotificationHandler, RequestHandler } from "./handler.ts";
import type { Answer } from "./inline-completions.ts";
import { legacyRequests } from "./legacy.ts";
import {
  acceptCommand,
  conventionalAcceptCommand,
  inlineItem,
  listEntry,
  type OfferedItem,
} from "./offered-item.ts";
import {
  decodeChange,
  decodeIds,
  decodeInline,
  decodeItemId,
  decodeLength,
  decodeListed,
  decodeOpened,
  decodeUri,
  fieldsOf,
  uriOf,
} from "./params.ts";
import { rpcCodes, rpcError } from "./rpc-error.ts";
import type { Session } from "./session.ts";
import { statusOf } from "./status.ts";

/** Requests; what a handler throws is answered by `rpcErrorOf`. */
export const requestHandlers: Readonly<Record<string, RequestHandler>> = {
  "textDocument/inlineCompletion": async (session, params, signal) => {
    const items = itemsOf(session, await ask(session, decodeInline(params), signal));
    return {
      items: items.map((item) => inlineItem(item, session.profile)),
    } satisfies InlineCompletionList;
  },
  /** As many texts as there are, for a person who compares them in a window. */
  "textDocument/copilotPanelCompletion": async (session, params, signal) => {
    const question = decodeInline({ ...fieldsOf(params), context: { triggerKind: 1 } });
    const items = itemsOf(session, await ask(session, question, signal));
    return { items: items.map((item) => inlineItem(item, session.profile)) };
  },
  "textDocument/completion": async (session, params, signal) => {
    const items = session.drawsInline
      ? []
      : itemsOf(session, await ask(session, decodeListed(params), signal));
    return {
      // Every key asks again: what fits changes with it.
      isIncomplete: true,
      items: items.map((item) => listEntry(item, session.profile)),
    } satisfies CompletionList;
  },
  "workspace/executeCommand": async (session, params) => {
    const fields = fieldsOf(params);
    const command = requiredString(fields.command, "command", 1024);
    if (command !== acceptCommand && command !== conventionalAcceptCommand) {
      throw rpcError(rpcCodes.invalidParams, `there is no command ${command}`);
    }
    const [id] = decodeIds(fields.arguments, "arguments");
    return id !== undefined && (await session.suggestions.accepted(id));
  },
  "midspan/status": (session) => statusOf(session),
  "midspan/explainLast": async (session, _, signal) => {
    const result = await session.completions.explainLast({ signal });
    if (result === null) return null;
    const { outcome, source, model, timings, explanation } = result;
    return {
      shown: outcome.kind === "completion" ? outcome.edit.text : null,
      reason: outcome.kind === "none" ? outcome.reason : null,
      ...{ source, model, ms: timings.totalMs },
      decision: explanation?.decision ?? "",
      candidates: explanation?.candidates ?? [],
    };
  },
  ...legacyRequests,
};

/** Notifications; unknown ones are ignored, as the protocol has it. */
export const notificationHandlers: Readonly<Record<string, NotificationHandler>> = {
  "textDocument/didOpen": (session, params) => {
    session.open(decodeOpened(fieldsOf(params).textDocument, "textDocument"));
  },
  "textDocument/didChange": (session, params) => {
    const { uri, version, changes } = decodeChange(params);
    session.change(uri, version, changes);
  },
  "textDocument/didClose": (session, params) => session.close(decodeUri(params)),
  "textDocument/didFocus": (session, params) => {
    const { textDocument } = fieldsOf(params);
    session.focus(isAbsent(textDocument) ? null : uriOf(textDocument, "textDocument"));
  },
  "textDocument/didShowCompletion": (session, params) => {
    session.suggestions.shown(decodeItemId(params));
  },
  "textDocument/didPartiallyAcceptCompletion": (session, params) => {
    const length = decodeLength(fieldsOf(params).acceptedLength, "acceptedLength") ?? 0;
    session.suggestions.acceptedUpTo(decodeItemId(params), length);
  },
  /** Ours: a person pressed the key that refuses. */
  "midspan/didRejectCompletion": (session, params) => {
    session.suggestions.rejected(decodeItemId(params));
  },
  "notebookDocument/didOpen": (session, params) => session.notebooks.open(params, session),
  "notebookDocument/didChange": (session, params) => session.notebooks.change(params, session),
  "notebookDocument/didClose": (session, params) => session.notebooks.close(params, session),
  "workspace/didChangeWorkspaceFolders": (session, params) => {
    const event = objectFields(fieldsOf(params).event, "event");
    session.workspaces.change(
      folderPaths(event.added, "event.added"),
      folderPaths(event.removed, "event.removed"),
    );
  },
  "workspace/didChangeConfiguration": (session, params) => {
    const { midspan } = record(fieldsOf(params).settings);
    if (!isAbsent(midspan)) session.workspaces.configure(record(midspan));
  },
};

function itemsOf({ profile }: Session, answer: Answer): readonly OfferedItem[] {
  switch (answer.kind) {
    case "items":
      return answer.items;
    case "cancelled":
      throw rpcError(rpcCodes.requestCancelled, "the client cancelled");
    case "superseded":
      // Clients without the conventions log every error, one for each key of a fast typist.
      if (!profile.hasEditorInfo) return [];
      throw rpcError(rpcCodes.serverCancelled, "a newer request of this document came");
    case "modified":
      if (!profile.hasEditorInfo) return [];
      throw rpcError(rpcCodes.contentModified, "the document changed while the answer was made");
  }
}
