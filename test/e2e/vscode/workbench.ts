/// <reference lib="dom" />
/** The page of a workbench: what a person presses there, and what they see. */
import type { Browser, Page } from "playwright-core";
import { until } from "../until.ts";
import { type Painted, startPaintRecorder } from "./paint-recorder.ts";

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the address and waits for the workbench and the extension's item in the status bar. */
  static async open(browser: Browser, url: string): Promise<Workbench> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(120_000);
    // Some compilers of TypeScript wrap functions in a helper of theirs, which the page lacks.
    await page.addInitScript("globalThis.__name ??= (run) => run");
    await page.addInitScript(startPaintRecorder);
    await page.goto(url, { waitUntil: "domcontentloaded" });
    await page.locator(".monaco-workbench").waitFor();
    await page.locator("#midspan\\.midspan\\.midspan\\.status, [id*='midspan.status']").waitFor();
    return new Workbench(page);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** `delayMs`: between keys. */
  async type(text: string, delayMs: number = 0): Promise<void> {
    await this.page.keyboard.type(text, { delay: delayMs });
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    await this.#pick("F1", `>${title}`, title);
  }

  /** Opens a file of the workspace with the cursor at a place; both count from 1. */
  async openFile(name: string, line: number, column: number): Promise<void> {
    await this.#pick("Control+p", `${name}:${line}:${column}`, name);
    await until(
      async () => `${await this.activeFile()} ${await this.cursor()}`,
      (active) => active.endsWith(`/${name} Ln ${line}, Col ${column}`),
      { what: `the cursor in ${name}` },
    );
  }

  /** Address of the file in the editor. */
  activeFile(): Promise<string> {
    return this.page.evaluate(() => {
      const editor = document.querySelector(
        ".editor-group-container.active .monaco-editor[data-uri]",
      );
      return decodeURIComponent(editor?.getAttribute("data-uri") ?? "");
    });
  }

  /** What the status bar says of the cursor. */
  cursor(): Promise<string> {
    return this.page.evaluate(
      () => document.querySelector("[id='status.editor.selection']")?.textContent?.trim() ?? "",
    );
  }

  /** The texts that are on screen now. */
  ghosts(): Promise<readonly Painted[]> {
    return this.page.evaluate(() => globalThis.midspanPaint.now());
  }

  /** Waits for one and returns it. */
  async ghost(isRight: (painted: Painted) => boolean = () => true): Promise<Painted> {
    const found = await until(
      () => this.ghosts(),
      (ghosts) => ghosts.length > 0 && ghosts.every(isRight),
      { what: "ghost text" },
    );
    const [painted] = found;
    if (painted === undefined) throw new Error("no ghost text");
    return painted;
  }

  async noGhost(): Promise<void> {
    await until(
      () => this.ghosts(),
      (ghosts) => ghosts.length === 0,
      { what: "no ghost text" },
    );
  }

  /** Every text that was on screen since the last call, in order. */
  painted(): Promise<readonly Painted[]> {
    return this.page.evaluate(() => globalThis.midspanPaint.take());
  }

  /** Every notification since the page was opened, gone ones too. */
  toasts(): Promise<readonly string[]> {
    return this.page.evaluate(() => globalThis.midspanPaint.toasts());
  }

  /** Waits until the extension's item in the status bar says so. */
  async says(pattern: RegExp): Promise<void> {
    await until(
      () => this.status(),
      (status) => pattern.test(status),
      { what: String(pattern) },
    );
  }

  /** Takes an entry of the open box. */
  async choose(entry: string): Promise<void> {
    const widget = this.page.locator(".quick-input-widget");
    await widget.locator(".monaco-list-row", { hasText: entry }).first().click();
    await widget.waitFor({ state: "hidden" });
  }

  /** What the extension's item says to a screen reader. */
  status(): Promise<string> {
    return this.page.evaluate(
      () => document.querySelector("[id*='midspan.status'] a")?.getAttribute("aria-label") ?? "",
    );
  }

  /** Saves what is not saved. A key that comes while VS Code is busy is lost: whoever waits asks again. */
  async save(): Promise<void> {
    const dirty = this.page.locator(".tab.dirty").first();
    if ((await dirty.count()) === 0) return;
    await this.press("Control+s");
    await dirty.waitFor({ state: "detached", timeout: 2_000 }).catch(() => {});
  }

  /** Closes every editor; all must be saved. */
  async closeFiles(): Promise<void> {
    // A text is on disk before VS Code takes it for saved, and it asks whoever closes it meanwhile.
    await this.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
    await this.#closeBy("Control+Alt+F1");
  }

  /** Waits until the list of words is open with this entry chosen. */
  async list(entry: string): Promise<void> {
    const chosen = this.page.locator(".suggest-widget.visible .monaco-list-row.focused");
    await chosen.filter({ hasText: entry }).first().waitFor();
  }

  /** Gives the file in the editor another name, in the tree of files. */
  async renameFile(name: string): Promise<void> {
    await this.command("File: Reveal Active File in Explorer View");
    const chosen = this.page.locator(".explorer-folders-view .monaco-list-row.focused");
    await chosen.waitFor();
    await this.press("F2");
    const box = this.page.locator(".explorer-folders-view input");
    await box.fill(name);
    await box.press("Enter");
    await until(
      () => this.activeFile(),
      (active) => active.endsWith(`/${name}`),
      { what: `the editor of ${name}` },
    );
  }

  /** Back to no open editor, after a failure too: the next scenario deletes what was saved. */
  async reset(): Promise<void> {
    await this.press("Escape", "Escape");
    await this.#closeBy("Control+Alt+F3");
  }

  /** Presses until no editor is open: a key that comes while VS Code is busy with a save is lost. */
  async #closeBy(key: string): Promise<void> {
    const tab = this.page.locator(".tabs-container .tab").first();
    const isClosed = async (): Promise<boolean> => {
      if ((await tab.count()) === 0) return true;
      await this.press(key);
      return tab.waitFor({ state: "detached", timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    };
    await until(isClosed, (is) => is, { what: "no open editor" });
  }

  /** Types into the box above the editor and takes the chosen row once it is the right one. */
  async #pick(key: string, text: string, row: string): Promise<void> {
    const { page } = this;
    const widget = page.locator(".quick-input-widget");
    const box = widget.locator("input[type='text']").first();
    const label = widget.locator(".monaco-list-row.focused .label-name");
    const chosen = label.filter({ hasText: row });
    // A file that is new may be missing from the first search.
    const isOffered = async (): Promise<boolean> => {
      await page.keyboard.press(key);
      try {
        await box.waitFor({ state: "visible", timeout: 10_000 });
        await box.fill(text);
        await chosen.waitFor({ timeout: 2_000 });
        return (await label.textContent()) === row;
      } catch {
        await page.keyboard.press("Escape");
        return false;
      }
    };
    await until(isOffered, (isIt) => isIt, { what: `${row} in the box of ${key}` });
    await page.keyboard.press("Enter");
    await widget.waitFor({ state: "hidden" });
  }
}
