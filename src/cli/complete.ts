/** `midspan complete`: one completion at one place of a file, printed. */
import { dirname, relative, resolve, sep } from "node:path";
import { TextBuffer } from "../base/text-buffer.ts";
import { CompletionError, languageOfPath } from "../core/index.ts";
import type { EngineResult } from "../engine/index.ts";
import { decodeText } from "../host/file-content.ts";
import { fileErrorCode } from "../host/file-error.ts";
import { readPlainFile } from "../host/plain-file.ts";
import { toAutocompleteReply, toEngineRequest } from "../server/convert.ts";
import { awaitSymbols, buildIndex } from "./build-index.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { findWorkspace } from "./find-workspace.ts";
import type { Flags } from "./flags.ts";
import { loadSettings } from "./load-settings.ts";
import { createProduct } from "./product.ts";

/** As much as the server takes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface CompleteOptions {
  readonly file: string;
  /** Both from 1, as editors show them. */
  readonly line: number;
  readonly column: number;
  readonly explain: boolean;
  readonly json: boolean;
  readonly flags: Flags;
}

/** Prints the text and exits with 0, also when there is nothing to show; stderr then says why. */
export async function completeCommand(options: CompleteOptions): Promise<ExitCode> {
  const file = resolve(options.file);
  const text = await readText(file);
  const buffer = TextBuffer.from(text);
  const offset = offsetOf(buffer, options);
  const workspace = findWorkspace(null, dirname(file));
  const { resolved, folders } = await loadSettings(workspace, options.flags);
  const { settings } = resolved;
  const product = await createProduct({
    ...{ workspace, settings, folders, isWatched: false, hasSymbols: options.explain },
    onWarning: (line) => process.stderr.write(`midspan: ${line}.\n`),
  });
  try {
    if (product.index !== null) await buildIndex(product.index);
    if (product.context !== null) await awaitSymbols(product.context);
    await product.trees?.prepare(languageOfPath(file));
    const result = await product.engine.complete(
      toEngineRequest({
        prefix: buffer.slice(0, offset),
        suffix: buffer.slice(offset, buffer.length),
        path: relative(workspace, file).split(sep).join("/"),
        trigger: "invoked",
        explain: options.explain,
      }),
      { signal: new AbortController().signal },
    );
    print(result, options);
    return 0;
  } finally {
    await product.close();
  }
}

function print(result: EngineResult, options: CompleteOptions): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(replyOf(result), null, 2)}\n`);
    return;
  }
  const { outcome, explanation } = result;
  if (outcome.kind === "completion") process.stdout.write(`${outcome.edit.text}\n`);
  else process.stderr.write(`nothing to show: ${outcome.reason}\n`);
  if (explanation === null) return;
  const lines = [explanation.decision];
  for (const { text, chance, source, rejectedBy } of explanation.candidates) {
    const percent = chance === null ? "  ? " : `${Math.round(chance * 100)}`.padStart(3);
    lines.push(
      `  ${percent} %  ${source}  ${JSON.stringify(text)}${rejectedBy === null ? "" : `  (${rejectedBy})`}`,
    );
  }
  const isSent = explanation.prompt !== null;
  lines.push(
    explanation.snippets.length === 0
      ? "No snippets."
      : isSent
        ? "Snippets in the prompt:"
        : "No language model was asked; these snippets would be in its prompt:",
  );
  for (const { path, source, score, text } of explanation.snippets) {
    lines.push(`  ${path} (${source}, ${score.toFixed(3)})`);
    for (const line of text.trimEnd().split("\n")) lines.push(`    | ${line.trimEnd()}`);
  }
  if (explanation.prompt !== null) lines.push("Prompt:", explanation.prompt);
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** The text as editors show it. */
async function readText(file: string): Promise<string> {
  const read = await readPlainFile(file, { maxBytes: MAX_FILE_BYTES, links: "followed" }).catch(
    (cause: unknown) => {
      const code = fileErrorCode(cause);
      const isThere = code !== "ENOENT";
      throw unreadable(file, isThere ? (code ?? "unknown cause") : "there is no such file", cause);
    },
  );
  if (read.kind === "left-out") {
    const isLarge = read.reason === "too-large";
    throw unreadable(file, isLarge ? `it is over ${MAX_FILE_BYTES} bytes` : "it is no plain file");
  }
  const text = decodeText(read.bytes);
  if (text === null) throw unreadable(file, "it is no text");
  return text;
}

function unreadable(file: string, why: string, cause?: unknown): CompletionError {
  const message = `${file} cannot be read: ${why}`;
  return new CompletionError("WORKSPACE_UNREADABLE", message, { cause });
}

function offsetOf(
  buffer: TextBuffer,
  place: { readonly line: number; readonly column: number },
): number {
  const { line, column } = place;
  if (line > buffer.lineCount) {
    throw new UsageError(`the file has ${buffer.lineCount} lines, there is no line ${line}`);
  }
  const start = buffer.lineStart(line - 1);
  const end = buffer.offsetAt({ line: line - 1, column: Number.MAX_SAFE_INTEGER });
  if (column - 1 > end - start) {
    throw new UsageError(
      `line ${line} has ${end - start} characters, there is no column ${column}`,
    );
  }
  return start + column - 1;
}

function replyOf(result: EngineResult): ReturnType<typeof toAutocompleteReply> {
  return toAutocompleteReply(result, { count: 1, latencyMs: result.timings.totalMs, queueMs: 0 });
}
