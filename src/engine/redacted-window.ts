/**
 * The text around the cursor without secrets. Typing changes one line, so what stands on the lines before
 * it comes from a cache.
 */
import { LruMap } from "../base/lru.ts";
import { redactSecrets } from "../repo/index.ts";

/** Windows of as many documents as several people have open, both sides; some 2 MB. */
const MAX_TEXTS = 128;

export class RedactedWindows {
  readonly #known = new LruMap<string, string>(MAX_TEXTS);

  /** The text with placeholders of the same length in place of secrets. */
  redact(text: string): string {
    const lineStart = text.lastIndexOf("\n") + 1;
    const lines = text.slice(0, lineStart);
    // A key over many lines may go on behind the last line end.
    if (lines.includes("-----BEGIN")) return redactSecrets(text);
    let clean = this.#known.get(lines);
    if (clean === undefined) {
      clean = redactSecrets(lines);
      this.#known.set(lines, clean);
    }
    return clean + redactSecrets(text.slice(lineStart));
  }
}
