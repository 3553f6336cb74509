/** Where the browser is that the page is tested in. */
import { existsSync } from "node:fs";

const usualPaths: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** How a person gets what is missing. */
export const howToGetChromium: string =
  "the pages are tested in Chromium: install it (Debian: apt-get install chromium) " +
  "or set MIDSPAN_CHROMIUM to its path";

/** Path of the browser's program; `null` when there is none. */
export function findChromium(): string | null {
  const named = process.env.MIDSPAN_CHROMIUM;
  const paths = named === undefined || named === "" ? usualPaths : [named];
  return paths.find((path) => existsSync(path)) ?? null;
}
