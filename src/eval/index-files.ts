/** Source files as an index of the local model, and as documents that a person has open. */
import { hashText } from "../base/hash.ts";
import { TextBuffer } from "../base/text-buffer.ts";
import { IndexBuilder, type LocalIndex, type LocalModel } from "../local/index.ts";
import type { SampledCursor } from "./cursor-sample.ts";
import type { SourceFile } from "./source-file.ts";

/** An index of the files, in their order. */
export function indexFiles(files: readonly SourceFile[]): LocalIndex {
  const builder = new IndexBuilder();
  for (const file of files) addFile(builder, file);
  return builder.build();
}

/** Hands one file to the builder. */
export function addFile(builder: IndexBuilder, { path, text }: SourceFile): void {
  const sizeBytes = Buffer.byteLength(text);
  builder.add({ path, hash: hashText(text), sizeBytes, modifiedMs: 0 }, text);
}

/**
 * The document of a cursor: its file without the rest of the cursor's line, the line end kept. It
 * shares its unchanged blocks with `whole`, as the next version of an open document does.
 */
export function documentAt(cursor: SampledCursor, whole: TextBuffer): TextBuffer {
  return whole.edit(cursor.offset, cursor.offset + cursor.target.length, "");
}

/** Files opened once, asked once so that their tokens are known, as in an editor. */
export function openFiles(
  model: LocalModel,
  files: readonly SourceFile[],
): ReadonlyMap<SourceFile, TextBuffer> {
  const documents = new Map<SourceFile, TextBuffer>();
  for (const file of files) {
    const document = TextBuffer.from(file.text);
    const { path, languageId } = file;
    model.complete({ document, offset: 0, path, languageId, maxLines: 1, maxCandidates: 1 });
    documents.set(file, document);
  }
  return documents;
}
