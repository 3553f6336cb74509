/** What a person takes and refuses in the playground stands on the dashboard and in `midspan stats`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./browser.ts";
import { findChromium, howToGetChromium } from "./chromium.ts";
import { PlaygroundPage } from "./playground-page.ts";
import {
  cleanEnvironment,
  program,
  type RunningServer,
  runToEnd,
  startServer,
  temporaryFolder,
} from "./product.ts";

const folder = temporaryFolder("dashboard");
const workspace = join(folder.path, "workspace");
const home = join(folder.path, "home");
const env = cleanEnvironment(home);

let browser: Browser;
let server: RunningServer;

/** Several files that say the same: what follows in one more is no riddle. */
function writeWorkspace(): void {
  mkdirSync(workspace);
  for (const name of ["cart", "order", "invoice", "offer"]) {
    const text =
      `export function ${name}Total(items: readonly Item[]): number {\n` +
      "  const total = items.reduce((sum, item) => sum + item.price, 0);\n" +
      "  return total;\n}\n";
    writeFileSync(join(workspace, `${name}.ts`), text);
  }
}

async function stats(): Promise<{ readonly total: Readonly<Record<string, unknown>> }> {
  const { code, stdout } = await runToEnd(process.execPath, [program, "stats", "--json"], {
    cwd: workspace,
    env,
  });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

function notes(): string {
  const events = join(home, "data", "events");
  const names = readdirSync(events).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => readFileSync(join(events, name), "utf8")).join("");
}

beforeAll(async () => {
  writeWorkspace();
  const executable = findChromium();
  if (executable === null) throw new Error(howToGetChromium);
  const args = [program, "serve", workspace, "--port", "0", "--no-open", "--threshold", "0"];
  [server, browser] = await Promise.all([
    startServer(process.execPath, args, { cwd: workspace, env }),
    startChromium(executable),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  folder.dispose();
});

describe("the dashboard", () => {
  it("says what to do first, and then what became of what was shown", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const playground = new PlaygroundPage(page, server.url);
    await page.goto(`${server.url}/dashboard`);
    await page.getByText("Nothing to show yet").waitFor();
    await page.getByRole("link", { name: "playground", exact: true }).click();
    await page.getByText(/\d+ tokens indexed/).waitFor();

    // Taken whole, after a part of it was typed along.
    await playground.emptyScratch();
    await playground.type("  const total = ");
    await playground.seesGhost(/^items\.reduce/);
    await playground.type("it");
    await playground.seesGhost(/^ems\.reduce/);
    await playground.press("Tab");
    await playground.hasText("  const total = items.reduce((sum, item) => sum + item.price, 0);");

    // Refused by hand.
    await playground.emptyScratch();
    await playground.type("  const total = ");
    await playground.seesGhost(/^items\.reduce/);
    await playground.press("Escape");
    await playground.seesGhost("");

    await page.goto(`${server.url}/dashboard`);
    const tile = (name: string) => page.locator(".tile", { hasText: name });
    await expect
      .poll(() => tile("Refused by hand").textContent(), { timeout: 15_000 })
      .toMatch(/1 of \d/);
    await expect.poll(() => page.locator(".chart svg").count()).toBe(4);
    await expect.poll(() => page.getByRole("row", { name: /^typescript/ }).count()).toBe(1);
    expect(playground.faults).toEqual([]);

    const { total } = await stats();
    expect(total).toMatchObject({ accepted: 1, rejected: 1 });
    const acceptedChars = "ems.reduce((sum, item) => sum + item.price, 0);".length;
    expect(total.accepted_chars).toBe(acceptedChars);
    expect(notes()).not.toMatch(/reduce|scratch|cart|order/i);
    await page.close();
  }, 60_000);

  it("follows the theme", async () => {
    const page = await browser.newPage({ colorScheme: "dark" });
    await page.goto(`${server.url}/dashboard`);
    await page.locator(".chart svg").first().waitFor();
    const strokes = () =>
      page.evaluate(`[...document.querySelectorAll(".chart svg path")].map((one) =>
        one.getAttribute("stroke")).join()`);
    const dark = await strokes();
    await page.getByText("Light", { exact: true }).click();
    await expect.poll(strokes).not.toBe(dark);
    await page.close();
  });
});

describe("the command line", () => {
  it("prints the figures, what was learned, and forgets both", async () => {
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout } = await runToEnd(process.execPath, [program, ...args], {
        cwd: workspace,
        env,
      });
      expect(code).toBe(0);
      return stdout;
    };
    expect(await run("stats", "--days", "7")).toMatch(
      /acceptance rate +\d+ % +1 whole and 0 in part/,
    );
    expect(await run("adapt")).toMatch(/of the 50 decisions that it needs/);
    expect(await run("adapt", "--reset")).toMatch(/^Forgotten/);
    expect(await run("adapt")).toMatch(/so far: 0 of the 50/);
    expect(await run("stats", "--clear")).toMatch(/^Removed 1 file of notes/);
    expect(await run("stats")).toMatch(/^Nothing was asked in the last 30 days/);
    const wrong = await runToEnd(process.execPath, [program, "stats", "--days", "0"], {
      cwd: workspace,
      env,
    });
    expect(wrong.code).toBe(2);
  });
});
