import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../integration/browser.ts";
import { findChromium, howToGetChromium } from "../../integration/chromium.ts";
import { endsOfShown, readEvents } from "../journal.ts";
import { until } from "../until.ts";
import {
  type CodeServer,
  findCodeServer,
  howToGetCodeServer,
  startCodeServer,
} from "./code-server.ts";
import { Workbench } from "./workbench.ts";

const head = "export function f(items: readonly number[]): number {";
const tail = "  return total;\n}";
const files = {
  "src/library.ts": `export function computeTotal(items: readonly number[]): number {
  let total = 0;
  for (const item of items) {
    total += item;
  }
  return total;
}

export function computeAverage(items: readonly number[]): number {
  const total = computeTotal(items);
  return total / items.length;
}
`,
  "src/plain.ts": `${head}\n\n${tail}\n`,
};

describe("VS Code", () => {
  let server: CodeServer;
  let browser: Browser;
  let workbench: Workbench;

  beforeAll(async () => {
    const setup = findCodeServer();
    if (setup === null) throw new Error(howToGetCodeServer);
    const executable = findChromium();
    if (executable === null) throw new Error(howToGetChromium);
    [server, browser] = await Promise.all([
      startCodeServer(setup, { files }),
      startChromium(executable),
    ]);
    console.log(server.url, server.workspace);
    workbench = await Workbench.open(browser, server.url).catch(async (error) => {
      await browser.contexts()[0]?.pages()[0]?.screenshot({ path: "/tmp/mid/vsc-out/fail.png" });
      console.log(server.log());
      throw error;
    });
  }, 300_000);

  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  it("shows a text while one types, and takes it with Tab", { timeout: 300_000 }, async () => {
    try {
      await workbench.openFile("plain.ts", 2, 1);
      await workbench.type("  const total = comp");
      const ghost = await workbench.ghost();
      console.log(ghost, await workbench.status());
      await workbench.press("Tab", "Control+s");
      const file = join(server.workspace, "src/plain.ts");
      await until(
        () => readFileSync(file, "utf8"),
        (text) => text === `${head}\n  const total = computeTotal(items);\n${tail}\n`,
        { what: "text on disk" },
      );
      await workbench.closeFile();
      const events = await until(
        () => readEvents(server.home),
        (events) => events.some(({ type }) => type === "accepted"),
        { what: "accepted" },
      );
      console.log(
        await workbench.painted(),
        server.notes(),
        events.map((e) => JSON.stringify(e).slice(0, 300)),
        endsOfShown(events),
      );
      expect(events.filter(({ type }) => type === "accepted")).toHaveLength(1);
    } finally {
      await workbench.page.screenshot({ path: "/tmp/mid/vsc-out/last.png" });
    }
  });
});
