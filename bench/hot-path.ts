/**
 * What one key press costs, piece by piece: `npm run bench:hot-path`. Times differ between machines,
 * so each piece is also given as a multiple of splitting the same window into lines.
 */
import { Bench } from "tinybench";
import { minimalEdit } from "../src/base/diff-edit.ts";
import { TextBuffer } from "../src/base/text-buffer.ts";
import {
  buildPrompt,
  decideAsk,
  estimatedTokenCounter,
  lexicalScopeProbe,
  nextWindow,
  postProcess,
  promptBudget,
  promptTokenCounter,
  recall,
  remember,
  resolveFormat,
  sentinelsToCut,
  viewAt,
} from "../src/core/index.ts";

const LINES = 10_000;
const line = (i: number): string =>
  `  const value${i} = compute(values[${i}], { limit: ${i % 7} });\n`;
const text = Array.from({ length: LINES }, (_, i) => line(i)).join("");
const buffer = TextBuffer.from(text);
const offset = buffer.lineStart(LINES / 2) + 20;
const prefix = buffer.slice(offset - 8_000, offset);
const suffix = buffer.slice(offset, offset + 4_000);
const format = resolveFormat({
  model: "qwen2.5-coder-1.5b",
  backendKind: "openai",
  override: null,
});
const counter = promptTokenCounter(format, "typescript");
const plainCounter = estimatedTokenCounter({ vocabulary: "large", languageId: "typescript" });
const budget = promptBudget({ contextTokens: 32_768, outputTokens: 48 });
const windowInput = { buffer, offset, ...budget, counter, keepsSuffix: false };
const shown = nextWindow(null, windowInput);
const raw = Array.from({ length: 10 }, (_, i) => line(i)).join("");
const stops = sentinelsToCut(format);
const view = viewAt(buffer, offset);
const edit = { text: "compute(values);", replaceBefore: 0, replaceAfter: 0 };
const ring = remember<string>([], { view, edit, answer: "x" });
const typed = viewAt(buffer.edit(offset, offset, "comp"), offset + 4);
const [before, after] = [`${text.slice(0, offset)}x`, text.slice(offset)];

/** Name, budget in ms where the house has set one for the piece, and the piece. */
const pieces: readonly (readonly [string, number | null, () => unknown])[] = [
  ["split the window into lines (baseline)", null, () => prefix.split("\n")],
  ["edit a 10,000-line buffer", 1, () => buffer.edit(offset, offset, "x")],
  ["find the change in 400 kB of text", 1, () => minimalEdit(buffer, before, after)],
  ["scope at the cursor, 8 kB", null, () => lexicalScopeProbe.at(prefix, "typescript")],
  [
    "policy",
    null,
    () =>
      decideAsk({
        trigger: "automatic",
        forModel: true,
        hasSelection: false,
        isLanguageEnabled: true,
        prefix,
        suffix,
        languageId: "typescript",
        documentLength: text.length,
        score: null,
        scopes: lexicalScopeProbe,
      }),
  ],
  ["type-through", 1, () => recall(ring, typed)],
  ["count 2,000 tokens", null, () => plainCounter.count(prefix)],
  ["next prompt window", 1, () => nextWindow(shown, windowInput)],
  [
    "build the prompt",
    1,
    () =>
      buildPrompt({
        format,
        order: null,
        prefix: shown.prefix,
        suffix: shown.suffix,
        repository: "example",
        path: "src/a.ts",
        languageId: "typescript",
        snippets: [],
        budget,
        counter,
        multiline: true,
        stops: [],
        maxStops: null,
        writesBos: false,
      }),
  ],
  [
    "post-process ten lines",
    0.5,
    () =>
      postProcess({
        raw,
        finishReason: "stop",
        prefix,
        suffix,
        languageId: "typescript",
        multiline: true,
        stops,
        scopes: lexicalScopeProbe,
        origin: "model",
      }),
  ],
];

const bench = new Bench({ time: 300, warmupTime: 100 });
for (const [name, , run] of pieces) bench.add(name, () => void run());
await bench.run();
const medians = bench.tasks.map((task) =>
  task.result.state === "completed" ? task.result.latency.p50 : Number.NaN,
);
const baseline = medians[0] ?? Number.NaN;
console.log(
  `${"piece".padEnd(40)} ${"p50 ms".padStart(8)} ${"budget".padStart(8)} ${"ratio".padStart(7)}`,
);
for (const [i, [name, limit]] of pieces.entries()) {
  const median = medians[i] ?? Number.NaN;
  const mark = limit === null ? "" : median <= limit ? " pass" : " FAIL";
  console.log(
    `${name.padEnd(40)} ${median.toFixed(4).padStart(8)} ${(limit ?? "").toString().padStart(8)} ${(median / baseline).toFixed(1).padStart(7)}${mark}`,
  );
}
