/**
 * `npx tsx scripts/vscode-picture.ts`: takes the picture of grey text in VS Code for the README.
 * Environment as for `npm run e2e:vscode`, which sets up what is named there.
 */
import { join } from "node:path";
import {
  findCodeServer,
  howToGetCodeServer,
  startCodeServer,
} from "../test/e2e/vscode/code-server.ts";
import { library } from "../test/e2e/vscode/scenarios.ts";
import { Workbench } from "../test/e2e/vscode/workbench.ts";
import { startChromium } from "../test/integration/browser.ts";
import { findChromium, howToGetChromium } from "../test/integration/chromium.ts";

const report = `/** What a month has brought in, shop by shop. */
export function monthlyReport(shops: readonly Shop[]): readonly Row[] {
  return shops.map(({ name, items }) => {

    return { name, total };
  });
}
`;

const setup = findCodeServer();
if (setup === null) throw new Error(howToGetCodeServer);
const executable = findChromium();
if (executable === null) throw new Error(howToGetChromium);
const server = await startCodeServer(setup, {
  files: { "src/totals.ts": library, "src/report.ts": report },
  settings: { "workbench.colorTheme": "Default Dark Modern", "editor.fontSize": 15 },
});
const browser = await startChromium(executable);
try {
  const workbench = await Workbench.open(browser, server.url);
  await workbench.says(/2 files known/);
  await workbench.page.setViewportSize({ width: 880, height: 330 });
  await workbench.press("Control+b");
  await workbench.openFile("report.ts", 4, 1);
  await workbench.type("    const total = comp");
  await workbench.ghost();
  const path = join(import.meta.dirname, "..", "docs", "vscode-ghost-text.png");
  const clip = { x: 0, y: 36, width: 880, height: 219 };
  await workbench.page.screenshot({ path, clip });
} finally {
  await browser.close();
  await server.stop();
}
