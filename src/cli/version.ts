import { readFileSync } from "node:fs";

/** Version of this package, such as `0.1.0`; the manifest is two folders up, built or not. */
export const version: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "0.0.0";
}
