/** What a person sees and does in the playground, in the words of its tests. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The page of one test. */
export class PlaygroundPage {
  readonly page: Page;
  /** Everything that should not be: errors, and requests to another host. */
  readonly faults: string[] = [];
  /** Questions for a completion since the page was opened. */
  questions = 0;

  constructor(page: Page, url: string) {
    this.page = page;
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) this.faults.push(`foreign request: ${request.url()}`);
      if (request.url().endsWith("/v1/autocomplete")) this.questions++;
    });
  }

  /** Shows the scratch buffer with nothing in it and the cursor there. */
  async emptyScratch(): Promise<void> {
    await this.page.getByRole("tab", { name: "Scratch" }).click();
    await this.page.locator(".editor .view-lines").click();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.press("Delete");
    await expect.poll(() => this.text()).toBe("");
  }

  /** Types as a person would, key by key. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: 15 });
  }

  /** Puts a text in at once, as an input method does: one change, one question. */
  async insert(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** The ghost text; `""` when there is none. */
  async ghost(): Promise<string> {
    const parts = await this.page.locator(".ghost-text-decoration").allTextContents();
    return plain(parts.join(""));
  }

  /** Waits for a ghost text that matches. */
  async seesGhost(pattern: string | RegExp): Promise<void> {
    const matcher = expect.poll(() => this.ghost(), { timeout: 10_000 });
    await (typeof pattern === "string" ? matcher.toBe(pattern) : matcher.toMatch(pattern));
  }

  /** The document as it is without the ghost text, in the part that is on screen. */
  async text(): Promise<string> {
    const lines = await this.page.evaluate(`
      [...document.querySelectorAll(".view-line")]
        .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
        .map((line) => {
          const copy = line.cloneNode(true);
          for (const ghost of copy.querySelectorAll(".ghost-text-decoration")) ghost.remove();
          return copy.textContent;
        })
        .join("\\n")`);
    return plain(String(lines)).replace(/\n+$/, "");
  }

  /** Waits until the document, without ghost text, is this. */
  async hasText(text: string): Promise<void> {
    await expect.poll(() => this.text(), { timeout: 10_000 }).toBe(text);
  }

  /** The headline of the panel: what became of the last key press. */
  verdict(): Locator {
    return this.page.locator(".verdict strong");
  }

  async hasVerdict(text: string): Promise<void> {
    await expect.poll(() => this.verdict().textContent(), { timeout: 10_000 }).toBe(text);
  }

  /** The numbers at the foot of the panel. */
  async counter(name: string): Promise<number> {
    return Number(await this.page.locator(`[data-counter="${name}"]`).textContent());
  }

  async setThreshold(value: number): Promise<void> {
    await this.page.getByLabel("Threshold").fill(String(value));
  }
}

/** The editor draws blanks as no-break spaces. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ").replaceAll("\u200b", "");
}
