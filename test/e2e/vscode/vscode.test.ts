/** A person works in a real VS Code with the packed extension. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { startChromium } from "../../integration/browser.ts";
import { findChromium, howToGetChromium } from "../../integration/chromium.ts";
import { type SlowModel, startSlowModel } from "../nvim/slow-model.ts";
import { until } from "../until.ts";
import {
  type CodeServer,
  findCodeServer,
  howToGetCodeServer,
  type Note,
  startCodeServer,
} from "./code-server.ts";
import { clearFiles, runScenario } from "./run-scenario.ts";
import { library, scenarios, severalLines, slowScenarios, wanted } from "./scenarios.ts";
import { Workbench } from "./workbench.ts";

const ways = [
  { name: "that tells what is shown", proposedApi: "auto", isObserved: true },
  { name: "without proposed interfaces", proposedApi: "never", isObserved: false },
] as const;

/** Enough for a p95 that is not the maximum. */
const paintRounds = 40;

describe.each(ways)("VS Code $name", ({ name, proposedApi, isObserved }) => {
  let server: CodeServer;
  let browser: Browser;
  let model: SlowModel;
  let workbench: Workbench;
  let files = 0;

  beforeAll(async () => {
    const setup = findCodeServer();
    if (setup === null) throw new Error(howToGetCodeServer);
    const executable = findChromium();
    if (executable === null) throw new Error(howToGetChromium);
    [server, browser, model] = await Promise.all([
      startCodeServer(setup, {
        files: { "src/library.ts": library },
        settings: { "midspan.proposedApi": proposedApi },
      }),
      startChromium(executable),
      startSlowModel([wanted, severalLines], 300),
    ]);
    workbench = await Workbench.open(browser, server.url);
    await workbench.says(/1 file known/);
    // VS Code makes inline suggestions ready some time after the first editor is on screen; keys typed
    // before that ask for nothing, in any extension.
    await workbench.openFile("library.ts", 1, 1);
    await workbench.command("Trigger Inline Suggestion");
    await until(
      () => server.notes(),
      (notes) => notes.some(({ kind }) => kind === "answer"),
      { what: "the first answer" },
    );
    await workbench.closeFiles();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await model?.stop();
  });

  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    "%s",
    { timeout: 600_000 },
    async (title, scenario) => {
      picture(title);
      await runScenario(scenario, { workbench, server, isObserved });
    },
  );

  it("paints a text soon after the key; VS Code's own wait is 50 ms", {
    timeout: 600_000,
  }, async () => {
    await openPlain();
    const times: number[] = [];
    for (let round = 0; round < paintRounds; round++) {
      await workbench.type("  const total = comp");
      await workbench.ghost();
      const painted = await workbench.painted();
      const first = painted.find(({ line }) => line === wanted);
      if (first !== undefined) times.push(first.atMs - first.keyMs);
      // The line to its indentation, then to its start.
      await workbench.press("Shift+Home", "Shift+Home", "Delete");
      await workbench.noGhost();
      await workbench.painted();
    }
    await workbench.reset();
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    print(
      `key to paint: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ` +
        `without its own wait of 50 ms: ${(p50 - 50).toFixed(0)} and ${(p95 - 50).toFixed(0)} ms`,
    );
    expect(times).toHaveLength(paintRounds);
  });

  it("is paused, snoozed, turned off for a language and asked for by hand", {
    timeout: 600_000,
  }, async () => {
    await openPlain();
    await workbench.command("Midspan: Pause");
    await workbench.says(/Paused/);
    await workbench.type("  const total = comp");
    await workbench.command("Midspan: Trigger Suggestion");
    await workbench.ghost(({ line }) => line === wanted);
    await workbench.command("Midspan: Resume");
    await workbench.says(/Ready/);
    await workbench.command("Midspan: Snooze…");
    await workbench.choose("5 minutes");
    await workbench.says(/Paused until/);
    await workbench.command("Midspan: Resume");
    await workbench.command("Midspan: Enable or Disable for This Language");
    await workbench.says(/Off while typing typescript/);
    await workbench.command("Midspan: Enable or Disable for This Language");
    await workbench.says(/Ready/);
    await workbench.command("Midspan: Explain Last Suggestion");
    await workbench.page.locator(".tab", { hasText: "Last suggestion" }).waitFor();
    await workbench.reset();
  });

  it("has a server that was killed back by itself", { timeout: 600_000 }, async () => {
    const [killed = 0] = server.languageServers();
    await openPlain();
    await workbench.type("  const total = co");
    process.kill(killed, "SIGKILL");
    const startedAt = performance.now();
    // What is typed now reaches no server.
    await workbench.type("mp");
    await until(
      () => server.languageServers(),
      ([pid]) => pid !== undefined && pid !== killed,
      { what: "another server" },
    );
    const answers = (): Note[] => server.notes().filter(({ kind }) => kind === "answer");
    // What is asked while it starts has no text; a person types on, and the next key asks again.
    const nextAnswer = async (): Promise<Note | undefined> => {
      const { length } = answers();
      await workbench.press("Backspace");
      await workbench.type("p");
      return (await until(answers, (now) => now.length > length, { what: "an answer" })).at(-1);
    };
    await until(nextAnswer, (note) => note?.kind === "answer" && note.lines.length > 0, {
      what: "a text",
    });
    print(`a killed server has a text after ${(performance.now() - startedAt).toFixed(0)} ms`);
    await workbench.ghost(({ line }) => line === wanted);
    await workbench.reset();
  });

  it("takes a setting that changes, and starts the server anew where it must", {
    timeout: 600_000,
  }, async () => {
    const [before] = server.languageServers();
    server.changeSettings({
      "midspan.backend": `openai:${model.url}`,
      "midspan.model": "qwen2.5-coder-1.5b",
      "midspan.local.enabled": false,
    });
    await workbench.says(/Ready.*qwen2\.5-coder-1\.5b at /);
    expect(server.languageServers()).not.toContain(before);
  });

  it.each(slowScenarios.map((scenario) => [scenario.title, scenario] as const))(
    "%s",
    { timeout: 600_000 },
    async (title, scenario) => {
      picture(title);
      await runScenario(scenario, { workbench, server, isObserved });
    },
  );

  it("keeps the extension host for a moment only", () => {
    const times = server.notes().flatMap((note) => (note.kind === "handler" ? [note.ms] : []));
    print(`${times.length} calls of its handlers: p99 ${quantile(times, 0.99).toFixed(2)} ms`);
    expect(times.length).toBeGreaterThan(100);
  });

  it("says nothing that nobody asked for", { timeout: 600_000 }, async () => {
    // What somebody asked for is seen, and nothing was before.
    await workbench.command("Midspan: Enable or Disable for This Language");
    const toasts = await until(
      () => workbench.toasts(),
      (all) => all.some((toast) => toast.includes("Open a file")),
      { what: "a notification" },
    );
    // VS Code has words of its own on a machine that is too busy for it.
    const ours = toasts.filter((toast) => /midspan|Open a file of the language/i.test(toast));
    expect(ours, toasts.join("\n")).toEqual([
      expect.stringContaining("Open a file of the language first."),
    ]);
  });

  async function openPlain(): Promise<void> {
    const name = `plain-${files++}.ts`;
    const text = "export function f(items: readonly number[]): number {\n\n  return total;\n}\n";
    clearFiles(server);
    writeFileSync(join(server.workspace, "src", name), text);
    await workbench.openFile(name, 2, 1);
  }

  function print(text: string): void {
    process.stdout.write(`VS Code ${name}, ${text}\n`);
  }

  /** Of a failure, what was on screen. */
  function picture(title: string): void {
    onTestFailed(async () => {
      const folder = process.env.MIDSPAN_PICTURES;
      const path = `${folder}/${proposedApi} ${title}.png`;
      if (folder !== undefined) await workbench.page.screenshot({ path });
      await workbench.reset();
    });
  }
});

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
