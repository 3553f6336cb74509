import { describe, expect, it } from "vitest";
import { allSentinels, formatRows, sentinelsToCut, strays } from "./fim-format.ts";
import type { ClientFimFormat } from "./format-row.ts";
import { parseTemplate } from "./template.ts";

const clientRows = formatRows.flatMap((row) => (row.fim === "client" ? [row] : []));

describe("the format table", () => {
  it("has a row for each family, once", () => {
    const families = formatRows.map((row) => row.family);
    expect(new Set(families).size).toBe(families.length);
    expect(families).toMatchInlineSnapshot(`
      [
        "chat",
        "deepseek-api-fim",
        "mistral-fim-api",
        "qwen2.5-coder",
        "qwen3-coder",
        "codeqwen1.5",
        "deepseek-coder-v1.5",
        "deepseek-coder-v2-lite",
        "deepseek-coder-v2",
        "deepseek-coder-v1",
        "starcoder2-15b",
        "starcoder2",
        "starcoder",
        "santacoder",
        "codestral-22b",
        "devstral",
        "codellama-no-infill",
        "codellama",
        "codegemma-it",
        "codegemma",
        "granite-code",
        "granite-3.3",
        "granite-4.0",
        "stable-code-instruct",
        "stable-code",
        "refact-1.6b",
        "seed-coder-instruct",
        "seed-coder",
        "yi-coder",
        "codegeex4",
        "glm-4.5+",
        "mellum-4b",
        "zeta2",
        "zeta1",
        "sweep-next-edit",
        "instinct",
        "aixcoder-7b",
        "kwaicoder",
        "falcon-h1-tiny-coder",
        "tiny-fim",
        "smol-fim",
        "opencoder",
        "replit-code",
        "chat-fallback",
      ]
    `);
  });
});

describe.each(clientRows.map((row) => [row.family, row] as const))("the row of %s", (_, row) => {
  it("has its sentinels in every order, in that order's sequence", () => {
    for (const [order, template] of Object.entries(row.templates)) {
      expect(sequenceOf(row, template)).toEqual(expectedSequence(row, order));
    }
  });

  it("was trained on the order that is taken by default", () => {
    expect(row.templates).toHaveProperty(row.order);
    expect(row.untrained).not.toContain(row.order);
  });

  it("stops at each of its sentinels, and at the end token among the first two", () => {
    const { prefix, suffix, middle } = row.sentinels;
    for (const sentinel of [prefix, suffix, middle]) {
      if (sentinel !== null) expect(row.stops).toContain(sentinel.replace(/^▁/, ""));
    }
    expect(row.stops.slice(0, 2).some((stop) => /end|eos|EOT|<\/s>/.test(stop))).toBe(true);
  });

  it("knows every control token that its templates write", () => {
    const form = row.files;
    const texts = [
      ...Object.values(row.templates),
      ...(form === null
        ? []
        : [form.start, form.repository, form.file, form.current, form.inPrefix]),
    ];
    const plain = texts
      .flatMap((text) =>
        parseTemplate(
          text,
          [...Object.values(row.sentinels), ...row.specials].filter((s) => s !== null),
        ),
      )
      .flatMap((part) => (part.kind === "text" && !part.isSentinel ? [part.text] : []));
    expect(plain.filter((text) => /[<>[\]|]/.test(text))).toEqual([]);
  });

  it("is cut at all of its control tokens and at the strays", () => {
    const cut = new Set(sentinelsToCut(row));
    expect([...row.specials, ...row.stops, ...strays].filter((text) => !cut.has(text))).toEqual([]);
  });
});

describe("sentinelsToCut", () => {
  it("spares what may be code, unless the family has it", () => {
    const anybody = new Set(sentinelsToCut(null));
    expect(allSentinels.filter((text) => !anybody.has(text)).sort()).toEqual(
      ["</s>", "<EOT>", "<MID>", "<PRE>", "<SUF>", "<bos>", "<eos>", "<filename>", "<reponame>"]
        .concat(["<s>", "<sop>", "[MIDDLE]", "[PREFIX]", "[SUFFIX]", "[gMASK]"])
        .sort(),
    );
  });
});

/** Slots and sentinels of a template by their roles. */
function sequenceOf(row: ClientFimFormat, template: string): readonly string[] {
  const { prefix, suffix, middle } = row.sentinels;
  const roles = new Map([
    [prefix, "PRE"],
    [suffix, "SUF"],
    [middle ?? "", "MID"],
  ]);
  return parseTemplate(
    template,
    [...roles.keys()].filter((text) => text !== ""),
  ).flatMap((part) =>
    part.kind === "slot" ? [part.name] : part.isSentinel ? [roles.get(part.text) ?? ""] : [],
  );
}

function expectedSequence(row: ClientFimFormat, order: string): readonly string[] {
  const middle = row.sentinels.middle === null ? [] : ["MID"];
  if (order === "psm") return ["PRE", "prefix", "SUF", "suffix", ...middle];
  if (order === "spm1") return ["SUF", "suffix", "PRE", "prefix", ...middle];
  return ["PRE", "SUF", "suffix", ...middle, "prefix"];
}
