/** Files of the built page. They are public code: no token, no listing, nothing outside the folder. */
import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";

export interface StaticFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Strong, from the content: files of a package all carry the same date. */
  readonly etag: string;
  readonly cacheControl: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Addresses that people type. */
const pages: ReadonlyMap<string, string> = new Map([
  ["/", "/index.html"],
  ["/dashboard", "/dashboard.html"],
]);

/**
 * The file at a URL path, `/` being `index.html` and `/dashboard` its own page; `null` when there is none, when the path leaves
 * the folder, by `..` or by a link, and when it cannot be decoded.
 */
export async function readStaticFile(folder: string, urlPath: string): Promise<StaticFile | null> {
  const path = decodedPath(urlPath);
  if (path === null) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(resolve(root, `.${pages.get(path) ?? path}`));
    if (!file.startsWith(root + sep)) return null;
    const bytes = await readFile(file);
    return {
      bytes,
      contentType: contentTypes[extname(file)] ?? "application/octet-stream",
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
      // The bundler puts a hash of the content into the names below assets.
      cacheControl: path.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "no-cache",
    };
  } catch {
    // Not there, a folder, or not readable: for the browser all the same.
    return null;
  }
}

function decodedPath(urlPath: string): string | null {
  try {
    const path = decodeURIComponent(urlPath);
    return path.startsWith("/") && !/[\0\\]/.test(path) ? path : null;
  } catch {
    return null;
  }
}
