/** A person works in a real VS Code with the packed extension. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { startChromium } from "../../integration/browser.ts";
import { findChromium, howToGetChromium } from "../../integration/chromium.ts";
import { readEvents } from "../journal.ts";
import { type SlowModel, startSlowModel } from "../nvim/slow-model.ts";
import {
  type CodeServer,
  findCodeServer,
  howToGetCodeServer,
  startCodeServer,
} from "./code-server.ts";
import { runScenario } from "./run-scenario.ts";
import { library, scenarios, wanted } from "./scenarios.ts";
import { Workbench } from "./workbench.ts";

const files = { "src/library.ts": library };

const ways = [
  { name: "that tells what is shown", proposedApi: "auto", isObserved: true },
  { name: "without proposed interfaces", proposedApi: "never", isObserved: false },
] as const;

describe.each(ways)("VS Code $name", ({ proposedApi, isObserved }) => {
  let server: CodeServer;
  let browser: Browser;
  let model: SlowModel;
  let workbench: Workbench;

  beforeAll(async () => {
    const setup = findCodeServer();
    if (setup === null) throw new Error(howToGetCodeServer);
    const executable = findChromium();
    if (executable === null) throw new Error(howToGetChromium);
    [server, browser, model] = await Promise.all([
      startCodeServer(setup, { files, settings: { "midspan.proposedApi": proposedApi } }),
      startChromium(executable),
      startSlowModel(wanted, 300),
    ]);
    workbench = await Workbench.open(browser, server.url);
    await workbench.knows(1);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await model?.stop();
  });

  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    "%s",
    { timeout: 180_000 },
    async (title, scenario) => {
      picture(title);
      await runScenario(scenario, { workbench, server, isObserved });
    },
  );

  /** Of a failure, what was on screen. */
  function picture(title: string): void {
    const folder = process.env.MIDSPAN_PICTURES;
    if (folder === undefined) return;
    onTestFailed(async () => {
      console.log(
        server
          .notes()
          .filter(({ kind }) => kind === "answer")
          .slice(-3)
          .map((x) => JSON.stringify(x))
          .join("\n"),
        "\n",
        readEvents(server.home)
          .slice(-5)
          .map((x) => JSON.stringify(x))
          .join("\n"),
        await workbench.status(),
      );
      await workbench.page.screenshot({ path: `${folder}/${proposedApi} ${title}.png` });
      await workbench.reset();
    });
  }

  it("says nothing that nobody asked for", async () => {
    expect(await workbench.page.locator(".notification-toast").allInnerTexts()).toEqual([]);
  });
});
