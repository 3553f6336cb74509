/** The playground in a real browser, served by the built program for a small workspace. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChromium } from "./browser.ts";
import { findChromium, howToGetChromium } from "./chromium.ts";
import { PlaygroundPage } from "./playground-page.ts";
import {
  cleanEnvironment,
  program,
  type RunningServer,
  startServer,
  temporaryFolder,
} from "./product.ts";

const folder = temporaryFolder("playground");
const workspace = join(folder.path, "workspace");
const env = cleanEnvironment(join(folder.path, "home"));

let browser: Browser;
let server: RunningServer;
let context: BrowserContext;
let playground: PlaygroundPage;

function serve(port: number, ...flags: readonly string[]): Promise<RunningServer> {
  const args = [program, "serve", workspace, "--port", String(port), "--no-open", ...flags];
  return startServer(process.execPath, args, { cwd: workspace, env });
}

/** Files that all do the same thing in the same words: what follows in one more is no riddle. */
function writeWorkspace(): void {
  const files: Record<string, string> = {
    "README.md": "# Shop\n",
    ".env": "SECRET=1\n",
    "src/store/store.ts":
      "export interface Store {\n  get(key: string): Promise<string | null>;\n}\n\n" +
      "export async function loadRecord(store: Store, key: string): Promise<string | null> {\n" +
      "  return store.get(key);\n}\n",
  };
  for (const name of ["User", "Order", "Invoice", "Basket", "Product", "Payment", "Address"]) {
    files[`src/shop/${name.toLowerCase()}.ts`] =
      `import { loadRecord, type Store } from "../store/store.ts";\n\n` +
      `export async function read${name}(store: Store, key: string): Promise<string> {\n` +
      `  const record = await loadRecord(store, key);\n` +
      `  if (record === null) throw new Error("no such record");\n` +
      `  return record;\n}\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
}

beforeAll(async () => {
  writeWorkspace();
  const executable = findChromium();
  if (executable === null) throw new Error(howToGetChromium);
  [server, browser] = await Promise.all([serve(0), startChromium(executable)]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  folder.dispose();
});

beforeEach(async () => {
  context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
  });
  const page = await context.newPage();
  playground = new PlaygroundPage(page, server.url);
  await page.goto(server.url);
  await page.locator(".tab.active").waitFor();
  await page.getByText(/\d+ tokens indexed/).waitFor();
  // What the model thinks of its chances in so small a workspace is not what is tested here.
  await playground.setThreshold(0);
});

afterEach(async () => {
  const { faults } = playground;
  await context.close();
  expect(faults).toEqual([]);
});

describe("ghost text in the playground", () => {
  it("is seen while typing, with its way, its chance and its candidates", async () => {
    await playground.emptyScratch();
    await playground.insert("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    await playground.hasVerdict("Shown");
    const { page } = playground;
    const localMs = page.getByRole("row", { name: "Local model" }).locator(".ms");
    expect(Number(await localMs.textContent())).toBeGreaterThan(0);
    expect(await page.locator(".waterfall .bar.ran").count()).toBeGreaterThan(1);
    const chance = await page.getByRole("meter").getAttribute("aria-valuenow");
    const candidates = await page.locator(".candidate").allTextContents();
    expect(candidates[0]).toBe(`oadRecord(store, key);${chance} %local✓ offered`);
  });

  it("goes on while it is typed along, without a new request", async () => {
    await playground.emptyScratch();
    await playground.insert("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    const asked = playground.questions;
    await playground.type("oadRec");
    await playground.seesGhost("ord(store, key);");
    await playground.hasVerdict("Typed through, no request");
    // The editor closes the bracket by itself; the text covers it.
    await playground.type("ord(");
    await playground.hasText("const record = await loadRecord()");
    await playground.seesGhost("store, key;");
    expect(await playground.counter("typedThrough")).toBeGreaterThan(0);
    expect(playground.questions).toBe(asked);
  });

  it("comes back without a request when a character is deleted and typed again", async () => {
    await playground.emptyScratch();
    await playground.type("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    const asked = playground.questions;
    await playground.type("oad");
    await playground.press("Backspace");
    await playground.seesGhost("dRecord(store, key);");
    expect(playground.questions).toBe(asked);
  });

  it("is accepted by Tab, and undo gives back what was there, ghost text and all", async () => {
    await playground.emptyScratch();
    await playground.type("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    await playground.press("Tab");
    await playground.hasText("const record = await loadRecord(store, key);");
    expect(await playground.counter("accepted")).toBe(1);
    expect(await playground.counter("acceptedCharacters")).toBe("oadRecord(store, key);".length);
    await playground.press("Control+Z");
    await playground.hasText("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
  });

  it("is sent away by Esc and leaves the text as it was", async () => {
    await playground.emptyScratch();
    await playground.type("const record = await l");
    await playground.seesGhost(/./);
    await playground.press("Escape");
    await playground.seesGhost("");
    await playground.hasText("const record = await l");
    expect(await playground.counter("accepted")).toBe(0);
  });

  it("is accepted word by word and then to the end of the line", async () => {
    await playground.emptyScratch();
    await playground.type("const record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    const asked = playground.questions;
    await playground.press("Control+ArrowRight");
    await playground.hasText("const record = await loadRecord");
    await playground.seesGhost("(store, key);");
    expect(playground.questions).toBe(asked);
    await playground.press("Control+Shift+ArrowRight");
    await playground.hasText("const record = await loadRecord(store, key);");
    expect(await playground.counter("accepted")).toBe(1);
    expect(await playground.counter("acceptedCharacters")).toBe("oadRecord(store, key);".length);
  });

  it("is never in the way of what is typed", async () => {
    await playground.emptyScratch();
    const text = 'if (record === null) throw new Error("no such thing");';
    await playground.type(text);
    await playground.hasText(text);
  });
});

describe("a model server that is slow", () => {
  it("is waited for in words, and so is said why nothing came; no button acts on an old text", async () => {
    const models = JSON.stringify({ object: "list", data: [{ id: "qwen2.5-coder-1.5b" }] });
    const held: ServerResponse[] = [];
    const model = createServer((request, response) => {
      if (request.url?.endsWith("/models")) {
        response.setHeader("content-type", "application/json").end(models);
      } else held.push(response);
    });
    await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
    const { port } = model.address() as AddressInfo;
    const slow = await serve(0, "--backend", `openai:http://127.0.0.1:${port}`);
    const page = await context.newPage();
    try {
      const waiting = new PlaygroundPage(page, slow.url);
      await page.goto(slow.url);
      await page.getByText(/\d+ tokens indexed/).waitFor();
      await waiting.emptyScratch();
      // Long enough that the language model is asked, and like nothing that the local one knows.
      await waiting.type("qzqzqzqzqzqz.qzq");
      await waiting.hasVerdict("Waiting for the model …");
      expect(await page.getByRole("button", { name: "Accept" }).isDisabled()).toBe(true);
      await waiting.hasVerdict("Nothing shown");
      await page.getByText("The time limit passed before an answer was ready.").waitFor();
      expect(waiting.faults).toEqual([]);
    } finally {
      await slow.stop();
      for (const response of held) response.destroy();
      await new Promise((resolve) => model.close(resolve));
    }
  }, 60_000);
});

describe("the controls of the playground", () => {
  it("threshold 1 hides every text and says why, 0 shows every one", async () => {
    await playground.emptyScratch();
    await playground.type("const record = await l");
    await playground.seesGhost(/./);
    await playground.setThreshold(1);
    await playground.seesGhost("");
    await playground.hasVerdict("Nothing shown");
    const sentence = playground.page.getByText("The best text is too likely to be wrong.");
    await sentence.waitFor();
    expect(await playground.page.locator(".candidate.rejected").count()).toBeGreaterThan(0);
    await playground.setThreshold(0);
    await playground.seesGhost(/./);
    await playground.hasVerdict("Shown");
  });

  it("alternatives are turned over and counted", async () => {
    const { page } = playground;
    await playground.emptyScratch();
    await playground.type("const r");
    await playground.seesGhost(/./);
    const first = await playground.ghost();
    await playground.press("Alt+]");
    await expect.poll(() => playground.ghost()).not.toBe(first);
    await expect.poll(() => page.locator(".alternative").textContent()).toMatch(/^2 \/ [23]$/);
    await page.getByRole("button", { name: "Previous" }).click();
    await playground.seesGhost(first);
    await playground.hasText("const r");
  });

  it("pause asks nothing until it is resumed", async () => {
    const { page } = playground;
    await playground.emptyScratch();
    await page.getByRole("button", { name: "Pause" }).click();
    const asked = playground.questions;
    await page.locator(".editor .view-lines").click();
    await playground.type("const record = await l");
    await playground.hasVerdict("Paused");
    expect(playground.questions).toBe(asked);
    await page.getByRole("button", { name: "Resume" }).click();
    await playground.seesGhost(/./);
  });

  it("the theme is drawn at once and kept", async () => {
    const { page } = playground;
    const background = (): Promise<unknown> =>
      page.evaluate(
        `getComputedStyle(document.querySelector(".monaco-editor-background")).backgroundColor`,
      );
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.getByText("Dark", { exact: true }).click();
    await expect.poll(background).toBe("rgb(20, 23, 28)");
    await page.reload();
    await page.locator(".tab.active").waitFor();
    expect(await background()).toBe("rgb(20, 23, 28)");
  });

  it("a file is found by its name and opened; a denied one is not in the list", async () => {
    const { page } = playground;
    const filter = page.getByLabel("Filter files");
    await filter.fill("env");
    await page.getByText("0 matches").waitFor();
    await filter.fill("shop pay");
    await filter.press("Enter");
    await page.getByRole("tab", { name: "payment.ts", selected: true }).waitFor();
    await expect.poll(() => playground.text()).toContain("readPayment");
    await page.getByRole("button", { name: "Close payment.ts" }).click();
    expect(await page.getByRole("tab", { name: "payment.ts" }).count()).toBe(0);
  });

  it("says that the server is gone and goes on by itself when it is back", async () => {
    const { page } = playground;
    await playground.emptyScratch();
    const port = Number(new URL(server.url).port);
    await server.stop();
    await playground.type("const ");
    await page.getByText("Not connected — start it with npm start").waitFor();
    await playground.hasVerdict("Failed");
    server = await serve(port);
    await page.locator(".banner").waitFor({ state: "hidden" });
    await playground.type("record = await l");
    await playground.seesGhost("oadRecord(store, key);");
    await playground.hasText("const record = await l");
  });

  it("a token that the server asks for is taken from the address and not shown in it", async () => {
    const page = await context.newPage();
    const locked = await serve(0, "--token", "open-sesame");
    try {
      await page.goto(locked.url);
      await page.getByText("This server asks for its token").waitFor();
      await page.goto(`${locked.url}/#token=open-sesame`);
      await page.reload();
      await page.locator(".tab.active").waitFor();
      expect(page.url()).not.toContain("sesame");
    } finally {
      await locked.stop();
    }
  });
});
