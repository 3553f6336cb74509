/**
 * Decides from a file's name and bytes whether it is text that a person writes.
 * Rules by name first: they cost no read.
 */
import type { LeftOutReason } from "./left-out.ts";

/** What stands in a file: its text, or why it is of no use. */
export type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "left-out"; readonly reason: LeftOutReason };

const generatedNames =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|packages\.lock\.json|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|podfile\.lock|gradle\.lockfile)$|\.min\.|\.(map|tsbuildinfo|snap)$|_pb2(_grpc)?\.pyi?$|\.pb\.(go|cc|h)$|\.g\.dart$|\.designer\.cs$/i;

const binaryNames =
  /\.(png|jpe?g|gif|webp|avif|bmp|ico|icns|tiff?|psd|svgz|pdf|docx?|xlsx?|pptx?|odt|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|lib|obj|pyc|pyo|wasm|node|bin|dat|db|sqlite3?|woff2?|ttf|otf|eot|mp[34]|m4a|wav|ogg|flac|mov|avi|mkv|webm|parquet|npy|npz|pt|onnx|gguf|safetensors|keras|h5|pkl)$/i;

/** Lines beyond this many units are what tools write; a paragraph of prose stays under it. */
const LONG_LINE_UNITS = 1_000;

/** A file in UTF-8 has no invalid bytes; one in an old 8-bit code has a few per hundred at most. */
const MAX_INVALID_RATIO = 0.05;

/** Where a mark of generated code may stand. */
const HEAD_UNITS = 2_000;

/** Why a file is left out by its name alone; `null` when its content decides. */
export function leftOutByName(name: string): "generated" | "binary" | null {
  if (generatedNames.test(name)) return "generated";
  return binaryNames.test(name) ? "binary" : null;
}

/** Decodes bytes and says whether a person wrote them. Never throws. O(length). */
export function contentOf(bytes: Uint8Array): FileContent {
  const text = decodeText(bytes);
  if (text === null) return { kind: "left-out", reason: "binary" };
  if (isMinified(text)) return { kind: "left-out", reason: "minified" };
  if (isGenerated(text)) return { kind: "left-out", reason: "generated" };
  return { kind: "text", text };
}

/**
 * The text of UTF-8, or of UTF-16 with a byte order mark, as editors show it: without the mark, line
 * ends as they are. `null` for what is no text.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (text.includes("\0")) return null;
  if (!text.includes("\uFFFD")) return text;
  let invalid = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) invalid++;
  return invalid > text.length * MAX_INVALID_RATIO ? null : text;
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

/** True when most of the text stands in lines that nobody writes by hand. */
function isMinified(text: string): boolean {
  let longUnits = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > LONG_LINE_UNITS) longUnits += end - start;
    start = end + 1;
  }
  return longUnits * 2 > text.length;
}

/** True when a comment near the top says that a program wrote the file. */
function isGenerated(text: string): boolean {
  const head = text.slice(0, HEAD_UNITS);
  if (!/generated/i.test(head)) return false;
  const comments = head
    .split("\n")
    .filter((line) => /^\s*(\/\/|\/?\*|#|--|;|<!--|%|"""|''')/.test(line))
    .join("\n");
  return (
    /@generated\b|<auto-?generated/i.test(comments) ||
    (/generated/i.test(comments) && /\bdo not (edit|modify|change)\b/i.test(comments))
  );
}
