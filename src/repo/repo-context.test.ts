import { describe, expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import type { ContextPlace, Snippet, SnippetKind } from "../core/index.ts";
import { repoContextOf } from "../testing/repo-fixture.ts";

const files = {
  "src/cart.ts": `export class Cart {
  addItem(item: Item): void {
    push(item);
  }
  totalPrice(): number {
    return 0;
  }
}
`,
  "src/money.ts": `/** Formats an amount. */
export function formatPrice(amount: number): string {
  return amount.toFixed(2);
}
`,
  "src/report.ts": `import { formatPrice } from "./money.ts";
export function printReport(orders: Order[]): string {
  const rows = orders.map((order) => formatPrice(order.total));
  const header = columnHeader(rows);
  return joinRows(header, rows);
}
`,
  "node_modules/dep/index.d.ts": "export declare function depOnly(x: number): void;\n",
};

function placeAt(marked: string, path = "src/main.ts"): ContextPlace {
  const offset = marked.indexOf("█");
  const buffer = TextBuffer.from(marked.replace("█", ""));
  return { path, languageId: "typescript", buffer, offset, sent: [] };
}

const kindsAndPaths = (snippets: readonly Snippet[]): string[] =>
  snippets.map(({ kind, path }) => `${kind} ${path}`);

describe("RepoContext", () => {
  it("shows the signature of what is imported, and the members of what is used", async () => {
    const source = await repoContextOf(files);
    const { snippets } = source.find(
      placeAt(`import { Cart } from "./cart.ts";
const cart = new Cart();
cart.█
`),
    );
    const cart = snippets.find(({ path }) => path === "src/cart.ts");
    expect(cart?.kind).toBe("import");
    expect(cart?.text).toBe(`export class Cart
  addItem(item: Item): void
  totalPrice(): number
`);
  });

  it("finds what is used and not imported, by its name alone", async () => {
    const source = await repoContextOf(files);
    const { snippets } = source.find(placeAt("const text = formatPrice(█"));
    expect(snippets[0]).toMatchObject({
      kind: "definition",
      path: "src/money.ts",
      text: "export function formatPrice(amount: number): string\n",
    });
  });

  it("finds similar code anywhere by its words", async () => {
    const source = await repoContextOf(files, { kinds: new Set<SnippetKind>(["search"]) });
    const { snippets } = source.find(placeAt("const header = columnHeader(lines);\n█"));
    expect(kindsAndPaths(snippets)).toEqual(["search src/report.ts"]);
  });

  it("shows windows of open files that look alike, and edits of a moment ago", async () => {
    const source = await repoContextOf({}, { kinds: new Set<SnippetKind>(["similar", "edit"]) });
    const text = "function alpha() {\n  beta(gamma, delta);\n  return epsilon;\n}\n";
    const buffer = TextBuffer.from(text);
    const seen = { path: "src/open.ts", languageId: "typescript" };
    source.see({ ...seen, buffer });
    const place = placeAt("function alpha2() {\n  beta(gamma, delta);\n  █");
    expect(kindsAndPaths(source.find(place).snippets)).toEqual(["similar src/open.ts"]);
    source.see({ ...seen, buffer: buffer.edit(21, 25, "zeta") });
    const { snippets } = source.find(place);
    expect(kindsAndPaths(snippets)).toContain("edit src/open.ts");
    expect(snippets.find(({ kind }) => kind === "edit")?.text).toContain("zeta(gamma");
    source.forget("src/open.ts");
    expect(source.find(place).snippets).toEqual([]);
  });

  it("pins imports and enclosing headers when the cursor is far below them", async () => {
    const source = await repoContextOf(files, { kinds: new Set<SnippetKind>(["head"]) });
    const filler = "    work();\n".repeat(100);
    const text = `import { a } from "./a.ts";\nclass Outer {\n  method(x: number) {\n${filler}    █\n  }\n}\n`;
    expect(source.find(placeAt(text)).snippets).toEqual([
      {
        path: "src/main.ts",
        kind: "head",
        score: 1_000_000,
        text: 'import { a } from "./a.ts";\nclass Outer {\n  method(x: number) {\n',
      },
    ]);
  });

  it("never shows declarations of dependencies, but knows their names", async () => {
    const source = await repoContextOf(files);
    expect(source.fileCount("depOnly")).toBe(1);
    const { snippets } = source.find(placeAt("depOnly(█"));
    expect(snippets.filter(({ path }) => path.includes("node_modules"))).toEqual([]);
  });

  it("never shows a file that a rule keeps out, whatever found it", async () => {
    const source = await repoContextOf(files, { mayShow: () => false });
    source.see({
      path: "src/o.ts",
      languageId: "typescript",
      buffer: TextBuffer.from("cart.addItem(order)\n"),
    });
    const sent: Snippet[] = (["open", "edit", "copied"] as const).map((kind) => ({
      ...{ kind, path: "src/s.ts", score: 0 },
      text: "cart.addItem(order)\n",
    }));
    const place = { ...placeAt('import { Cart } from "./cart.ts";\ncart.addItem(█'), sent };
    expect(source.find(place).snippets).toEqual([]);
  });

  it("shows nothing of the document itself but its head", async () => {
    const source = await repoContextOf(files);
    const { snippets } = source.find(placeAt("formatPrice(█", "src/money.ts"));
    expect(snippets.filter(({ path }) => path === "src/money.ts")).toEqual([]);
  });

  it("takes any place in broken code and asks for texts that are not in memory", async () => {
    let loads = 0;
    const source = await repoContextOf(files, {
      texts: { textOf: () => null, load: async () => void loads++ },
    });
    for (const text of ["█", "((((█", "}}}█{{{", "columnHeader(rows)\r\n█\r\n", "\ud800█"]) {
      await source.find(placeAt(text)).late;
    }
    expect(loads).toBeGreaterThan(0);
  });

  it("stays within its budgets", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `src/f${i}.ts`,
        `export function sharedName${i}(a: number, b: string, c: boolean): Promise<void> {}\n`,
      ]),
    );
    const source = await repoContextOf(many);
    const used = Array.from({ length: 60 }, (_, i) => `sharedName${i}();`).join(" ");
    const { snippets } = source.find(placeAt(`${used}\n█`));
    const units = snippets.reduce((sum, { text }) => sum + text.length, 0);
    expect(snippets.length).toBeGreaterThan(3);
    expect(units / 3).toBeLessThan(1_000);
  });

  it("takes documents of 100,000 lines, 50,000 brackets and mixed line ends", async () => {
    const source = await repoContextOf(files);
    const long = "    cart.addItem(order);\n".repeat(50_000);
    const texts = [
      `${long}    formatPrice(█\n${long}`,
      `formatPrice(${"(".repeat(50_000)}█\nformatPrice(x)\n`,
      `${"{\r\n".repeat(20_000)}formatPrice(█\r\n}\n}\r}`,
      `${"a".repeat(200_000)}█`,
    ];
    for (const text of texts) {
      const place = placeAt(text);
      source.see({ path: "src/main.ts", languageId: "typescript", buffer: place.buffer });
      const { snippets } = source.find(place);
      expect(snippets.length).toBeLessThan(20);
      expect(snippets.every(({ text: shown }) => shown.length < 4_000)).toBe(true);
    }
  });
});
