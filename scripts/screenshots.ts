// `npx tsx scripts/screenshots.ts [FOLDER]`: pictures of the playground on this repository, one light
// and one dark, into docs/ or FOLDER. Needs a build (`npm run build`) and Chromium.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startChromium } from "../test/integration/browser.ts";
import { findChromium, howToGetChromium } from "../test/integration/chromium.ts";
import {
  cleanEnvironment,
  program,
  root,
  startServer,
  temporaryFolder,
} from "../test/integration/product.ts";

/** Somebody adds a method to a file of ours, above the line that starts with `above`. */
const scene = {
  file: "src/base/text-buffer.ts",
  above: "  /** The text of `[start, end)`.",
  typed: [
    "",
    "lineLength(line: number): number {",
    "const index = this.#blockIndexOfLine(line);",
    "const block = this.blocks[index] as TextBlock;",
    "const lineInBlock = ",
  ].join("\n"),
};

const folder = process.argv[2] ?? join(root, "docs");
const lines = readFileSync(join(root, scene.file), "utf8").split("\n");
const above = lines.findIndex((line) => line.startsWith(scene.above));
if (above < 2) throw new Error(`${scene.file} has no line that starts with ${scene.above}`);
const executable = findChromium();
if (executable === null) throw new Error(howToGetChromium);
const home = temporaryFolder("screenshots");
const server = await startServer(
  process.execPath,
  [program, "serve", root, "--port", "0", "--no-open"],
  { cwd: root, env: cleanEnvironment(home.path) },
);
const browser = await startChromium(executable);
try {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    await page.goto(server.url);
    await page.getByText(/\d+ tokens indexed/).waitFor();
    await page.locator(".tab.active").waitFor();
    const filter = page.getByLabel("Filter files");
    await filter.fill(scene.file);
    await filter.press("Enter");
    await page.locator(".tab.active", { hasText: "text-buffer.ts" }).waitFor();
    await filter.press("Escape");
    await page.locator(".editor .view-lines").click();
    await page.keyboard.press("Control+Home");
    for (let line = 0; line < above - 2; line++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.type(`\n${scene.typed}`, { delay: 20 });
    await page.locator(".ghost-text-decoration").first().waitFor();
    // Asked by hand, so that the picture shows the whole way and not the text typed along.
    await page.keyboard.press("Alt+\\");
    await page.locator(".verdict strong", { hasText: /^Shown$/ }).waitFor();
    await page.mouse.wheel(0, 160);
    await page.mouse.move(640, 20);
    // The caret must not be off at the moment of the picture.
    await page.addStyleTag({ content: ".cursor { visibility: inherit !important; }" });
    await page.screenshot({ path: join(folder, `playground-${colorScheme}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  await server.stop();
  home.dispose();
}
