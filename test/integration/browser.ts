/** Starts the browser for tests and pictures of the pages. */
import { type Browser, chromium } from "playwright-core";

/** A browser with an empty profile that talks to nobody by itself. */
export async function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
