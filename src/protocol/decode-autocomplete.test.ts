import fc from "fast-check";
import { expect, test } from "vitest";
import { autocompleteLimits as limits } from "./autocomplete.ts";
import { DecodeError } from "./decode.ts";
import { decodeAutocomplete } from "./decode-autocomplete.ts";

const plain = { prefix: "const a = ", suffix: "\n" };

test("The plain body is enough; what is absent stays undefined.", () => {
  expect(decodeAutocomplete(plain)).toEqual({ ...plain });
});

test("A full body comes through unchanged, unknown fields and nulls do not.", () => {
  const full = {
    ...plain,
    language: "typescript",
    path: "src/a.ts",
    max_tokens: 512,
    temperature: 0.2,
    stop: ["\n\n", "\u0000"],
    multiline: "never",
    trigger: "invoked",
    session: "s",
    version: 0,
    stream: false,
    n: 3,
    threshold: 0,
    selection: true,
    context: [{ path: "src/b.ts", text: "", kind: "edit" }],
    explain: true,
    noted: false,
  };
  expect(decodeAutocomplete({ ...full, top_k: 5, n_discard: -1 })).toEqual(full);
  const nulls = Object.fromEntries(
    Object.keys(full).map((key) => [key, key === "prefix" || key === "suffix" ? "" : null]),
  );
  expect(decodeAutocomplete(nulls)).toEqual({ prefix: "", suffix: "" });
});

test("Text keeps byte order mark, line ends, tabs, NUL and lone surrogates.", () => {
  const text = "\uFEFFa\r\n\tb\u0000\r\uD83D\uDC00x\uDC00\u2028";
  const decoded = decodeAutocomplete({ prefix: text, suffix: text, stop: text });
  expect(decoded).toEqual({ prefix: text, suffix: text, stop: text });
});

test.each<[string, unknown, string]>([
  ["body", null, "body must be an object, got null"],
  ["body", [], "body must be an object, got an array"],
  ["body", "x", "body must be an object, got a string"],
  ["prefix", { suffix: "" }, "prefix is missing"],
  ["suffix", { prefix: "" }, "suffix is missing"],
  ["prefix", { prefix: null, suffix: "" }, "prefix must be a string, got null"],
  ["suffix", { prefix: "", suffix: 5 }, "suffix must be a string, got a number"],
  ["prefix", { prefix: ["a"], suffix: "" }, "prefix must be a string, got an array"],
  ["language", { ...plain, language: {} }, "language must be a string, got an object"],
  [
    "path",
    { ...plain, path: "a".repeat(4097) },
    "path has 4097 UTF-16 units, at most 4096 are taken",
  ],
  ["max_tokens", { ...plain, max_tokens: 0 }, "max_tokens must be within 1..512, got 0"],
  ["max_tokens", { ...plain, max_tokens: 513 }, "max_tokens must be within 1..512, got 513"],
  ["max_tokens", { ...plain, max_tokens: 1.5 }, "max_tokens must be an integer, got 1.5"],
  ["max_tokens", { ...plain, max_tokens: "48" }, "max_tokens must be a number, got a string"],
  ["max_tokens", { ...plain, max_tokens: Number.NaN }, "max_tokens must be within 1..512, got NaN"],
  ["temperature", { ...plain, temperature: -0.1 }, "temperature must be within 0..2, got -0.1"],
  [
    "temperature",
    { ...plain, temperature: Number.POSITIVE_INFINITY },
    "temperature must be within 0..2, got Infinity",
  ],
  ["stop", { ...plain, stop: "" }, "stop is empty: it would stop every text at its start"],
  ["stop", { ...plain, stop: 1 }, "stop must be a string or an array, got a number"],
  ["stop", { ...plain, stop: Array(17).fill("a") }, "stop has 17 items, at most 16 are taken"],
  [
    "stop[1]",
    { ...plain, stop: ["a", ""] },
    "stop[1] is empty: it would stop every text at its start",
  ],
  ["stop[0]", { ...plain, stop: [3] }, "stop[0] must be a string, got a number"],
  [
    "stop[0]",
    { ...plain, stop: ["a".repeat(201)] },
    "stop[0] has 201 UTF-16 units, at most 200 are taken",
  ],
  [
    "multiline",
    { ...plain, multiline: "yes" },
    'multiline must be one of auto, never, always, got "yes"',
  ],
  [
    "trigger",
    { ...plain, trigger: true },
    "trigger must be one of automatic, invoked, got a boolean",
  ],
  ["session", { ...plain, session: 1 }, "session must be a string, got a number"],
  ["version", { ...plain, version: -1 }, "version must be within 0..9007199254740991, got -1"],
  ["version", { ...plain, version: 1.5 }, "version must be an integer, got 1.5"],
  ["stream", { ...plain, stream: "true" }, "stream must be true or false, got a string"],
  ["n", { ...plain, n: 4 }, "n must be within 1..3, got 4"],
  ["threshold", { ...plain, threshold: 1.01 }, "threshold must be within 0..1, got 1.01"],
  ["selection", { ...plain, selection: 0 }, "selection must be true or false, got a number"],
  ["explain", { ...plain, explain: [] }, "explain must be true or false, got an array"],
  ["noted", { ...plain, noted: 0 }, "noted must be true or false, got a number"],
  ["context", { ...plain, context: {} }, "context must be an array, got an object"],
  [
    "context",
    { ...plain, context: Array(65).fill({}) },
    "context has 65 items, at most 64 are taken",
  ],
  ["context[0]", { ...plain, context: [1] }, "context[0] must be an object, got a number"],
  ["context[0].path", { ...plain, context: [{}] }, "context[0].path is missing"],
  ["context[0].text", { ...plain, context: [{ path: "a" }] }, "context[0].text is missing"],
  [
    "context[0].kind",
    { ...plain, context: [{ path: "a", text: "" }] },
    "context[0].kind is missing",
  ],
  [
    "context[0].kind",
    { ...plain, context: [{ path: "a", text: "", kind: "symbol" }] },
    'context[0].kind must be one of open, edit, copied, got "symbol"',
  ],
])("%s is named when it is wrong.", (field, body, message) => {
  const error = errorOf(body);
  expect({ field: error?.field, message: error?.message }).toEqual({ field, message });
});

test("Two million units are taken, one more is not; the sum counts.", () => {
  const half = "a".repeat(limits.textUnits / 2);
  expect(decodeAutocomplete({ prefix: half, suffix: half }).prefix).toBe(half);
  expect(errorOf({ prefix: half, suffix: `${half}a` })?.message).toBe(
    "prefix and suffix have 2097153 UTF-16 units together, at most 2097152 are taken",
  );
  const context = [half, half, "a"].map((text) => ({ path: "a", text, kind: "open" }));
  expect(errorOf({ ...plain, context })?.field).toBe("context");
});

test("Inherited fields are not read from a parsed body.", () => {
  const body: unknown = JSON.parse('{"__proto__": {"prefix": "a", "suffix": "b"}}');
  expect(errorOf(body)?.message).toBe("prefix is missing");
});

test("Any value decodes or fails with a field; what decodes, decodes to itself.", () => {
  const value = fc.oneof(fc.jsonValue(), fc.anything(), fc.double(), fc.string());
  const body = fc.oneof(
    value,
    fc.record({ prefix: fc.string(), suffix: fc.string() }),
    fc.record(
      {
        prefix: fc.oneof({ weight: 9, arbitrary: fc.string({ unit: "binary" }) }, value),
        suffix: fc.oneof({ weight: 9, arbitrary: fc.string({ unit: "binary" }) }, value),
        max_tokens: fc.oneof(fc.nat(600), value),
        temperature: fc.oneof(fc.double(), value),
        stop: fc.oneof(fc.array(fc.string()), fc.string(), value),
        n: fc.oneof(fc.nat(4), value),
        version: fc.oneof(fc.nat(), value),
        context: fc.oneof(
          fc.array(fc.record({ path: value, text: value, kind: fc.constantFrom("open", "x") })),
          value,
        ),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(body, (one) => {
      try {
        const decoded = decodeAutocomplete(one);
        expect(decodeAutocomplete(decoded)).toEqual(decoded);
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    }),
    { numRuns: 1000 },
  );
});

function errorOf(body: unknown): DecodeError | null {
  try {
    decodeAutocomplete(body);
    return null;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}
