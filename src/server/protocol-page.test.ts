/** `docs/protocol.md` and `docs/errors.md` say what the code does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTable, noCompletionReasons } from "../core/index.ts";
import { decodeAutocomplete } from "../protocol/decode-autocomplete.ts";
import { engineResult } from "../testing/scripted-engine.ts";
import { toAutocompleteReply } from "./convert.ts";
import { Metrics } from "./metrics.ts";
import { allowedMethods } from "./page-routes.ts";

const page = readPage("protocol");

function readPage(name: string): string {
  return readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
}

/** The first group of every match. */
function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

test("The documented codes are those of the table, with status and retry.", () => {
  const rows = [...readPage("errors").matchAll(/^\| `([A-Z_]+)` +\| (\d+) +\| (yes|no) /gm)];
  expect(rows.map(([, code, status, retry]) => [code, Number(status), retry === "yes"])).toEqual(
    Object.entries(errorTable).map(([code, { status, retryable }]) => [code, status, retryable]),
  );
});

test("The codes that the interface names have the status it gives them.", () => {
  const named = [...page.matchAll(/`([A-Z_]{5,})` \((\d{3})/g)];
  expect(named.length).toBeGreaterThan(10);
  const statusOf = new Map(Object.entries(errorTable).map(([code, { status }]) => [code, status]));
  for (const [, code, status] of named) {
    expect([code, statusOf.get(code ?? "")]).toEqual([code, Number(status)]);
  }
});

test("The documented addresses are those that are served.", () => {
  const documented = allOf(page, /^## `([A-Z]+ \/\S*)`$/gm).sort();
  const served = [...allowedMethods].map(([path, methods]) => `${methods.split(",")[0]} ${path}`);
  expect(documented).toEqual(served.sort());
});

test("The documented reasons are the closed list.", () => {
  const line = page.split("\n").find((one) => one.startsWith("The reasons are")) ?? "";
  expect(allOf(line, /`([a-z-]+)`/g)).toEqual([...noCompletionReasons]);
});

test("The documented fields are those that are decoded.", () => {
  const documented = allOf(page, /^\| `([a-z_]+)` +\| .* \| .* \|$/gm).filter(
    (name) => !name.startsWith("midspan_"),
  );
  expect(documented).toEqual(Object.keys(decodeAutocomplete({ prefix: "", suffix: "" })));
});

test("The documented metrics are those that are exported.", async () => {
  const metrics = new Metrics();
  metrics.watchLoad({ inFlight: 0, queued: 0 });
  metrics.watchModel(() => null);
  const exported = allOf(await metrics.text(), /^# TYPE (midspan_\w+) /gm);
  expect(allOf(page, /^\| `(midspan_\w+)`/gm).sort()).toEqual(exported.sort());
});

test("The bodies of the examples are taken, and the answer has the fields shown.", () => {
  const bodies = allOf(page, /-d '([^']+)'/g);
  expect(bodies).toHaveLength(3);
  for (const body of bodies) decodeAutocomplete(JSON.parse(body));
  const answer: object = JSON.parse(allOf(page, /```json\n([^`]+)```/g)[0] ?? "");
  const reply = toAutocompleteReply(engineResult("a"), { count: 1, latencyMs: 1, queueMs: 0 });
  expect(Object.keys(answer)).toEqual(Object.keys(reply));
});
