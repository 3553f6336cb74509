import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventOf, EventType, TelemetryEvent } from "../core/index.ts";
import { engineOf, localModelOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Engine } from "./engine.ts";
import { Telemetry } from "./telemetry.ts";

const signal = new AbortController().signal;
const line = "  const total = items.reduce((sum, item) => sum + item.price, 0);\n";
const files = { "src/a.ts": `function f() {\n${line}}\nfunction g() {\n${line}}\n` };
const local = localModelOf(files);

interface Setup {
  readonly clock: FakeClock;
  readonly engine: Engine;
  readonly telemetry: Telemetry;
  readonly events: TelemetryEvent[];
  readonly stop: () => void;
}

function setup(): Setup {
  const clock = new FakeClock();
  const engine = engineOf({ clock, local, settings: { threshold: 0 } });
  const events: TelemetryEvent[] = [];
  const telemetry = new Telemetry({
    clock,
    sink: { record: (event) => void events.push(event) },
    wallNow: () => 1_000_000 + clock.now(),
    install: "i",
    session: "s",
    client: "test",
    configuration: "c",
    hashPath: (path) => `hash of ${path.length}`,
  });
  const stop = telemetry.follow(engine);
  return { clock, engine, telemetry, events, stop };
}

const uri = "file:///a.ts";
const before = "function h() {\n  const total = ";

/** Opens a document and asks at its end. */
async function ask(at: Setup, version: number, offset: number): Promise<string> {
  const document = { kind: "open", uri, version, offset } as const;
  return (await at.engine.complete(requestAt("", { document }), { signal })).id;
}

function open(at: Setup, text = before): void {
  at.engine.open({ uri, path: "src/b.ts", languageId: "typescript", version: 1, text });
}

function typed(at: Setup, version: number, offset: number, text: string): void {
  at.engine.edit(uri, version, [{ start: offset, end: offset, text }]);
}

function of<Type extends EventType>(events: readonly TelemetryEvent[], type: Type) {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

function textOf(at: Setup, id: string): string {
  const produced = of(at.events, "produced").find((event) => event.request === id);
  return "x".repeat(produced?.chars ?? 0);
}

const visible = { visibleIndex: 0, isInferred: false };

describe("a request is noted", () => {
  test("with its end, without text and without a path", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    expect(at.events.map(({ type, request, doc, lang }) => ({ type, request, doc, lang }))).toEqual(
      [
        { type: "requested", request: id, doc: "hash of 8", lang: "typescript" },
        { type: "produced", request: id, doc: "hash of 8", lang: "typescript" },
      ],
    );
    const [produced] = of(at.events, "produced");
    expect(produced?.judged).toMatchObject({
      configuration: "c",
      threshold: 0,
      adapted: null,
      features: { inWord: 0, lineStart: 0, textRight: 0, invoked: 0, model: 0, lines: 0 },
    });
    expect(produced?.judged.context).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(at.events)).not.toMatch(/reduce|items|src\/b/);
    at.stop();
  });

  test("as cancelled when the caller went away, and as none with the reason", async () => {
    const at = setup();
    open(at);
    const gone = new AbortController();
    gone.abort();
    const document = { kind: "open", uri, version: 1, offset: 3 } as const;
    await at.engine.complete(requestAt("", { document }), { signal: gone.signal });
    await ask(at, 0, 3);
    expect(of(at.events, "cancelled")).toHaveLength(1);
    expect(of(at.events, "none")).toMatchObject([{ reason: "stale" }]);
    at.stop();
  });
});

describe("a shown text", () => {
  test("is accepted once, whatever comes after", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    at.telemetry.shown(id, visible);
    at.telemetry.shown(id, visible);
    at.clock.advanceSync(1_200);
    at.telemetry.accepted(id, { kind: "full" });
    at.telemetry.accepted(id, { kind: "full" });
    at.telemetry.ignored(id, "blur");
    at.telemetry.rejected(id);
    expect(of(at.events, "shown")).toHaveLength(1);
    expect(of(at.events, "accepted")).toMatchObject([
      { request: id, kind: "full", visibleMs: 1_200, chars: textOf(at, id).length },
    ]);
    expect(of(at.events, "ignored").length + of(at.events, "rejected").length).toBe(0);
    at.stop();
    expect(at.clock.pendingCount).toBe(0);
  });

  test("stays the same suggestion while it is typed along", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    at.telemetry.shown(id, visible);
    typed(at, 2, before.length, "items");
    const next = await ask(at, 2, before.length + 5);
    expect(next).not.toBe(id);
    at.telemetry.ignored(id, "superseded");
    at.telemetry.shown(next, visible);
    at.telemetry.accepted(next, { kind: "full" });
    expect(of(at.events, "shown")).toHaveLength(1);
    expect(of(at.events, "ignored")).toEqual([]);
    const [accepted] = of(at.events, "accepted");
    expect(accepted).toMatchObject({ request: id, chars: textOf(at, id).length - 5 });
    at.stop();
  });

  test("is typed over when something else fits there and nobody says what became of it", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    at.telemetry.shown(id, visible);
    typed(at, 2, before.length, "zzz");
    await ask(at, 2, before.length + 3);
    expect(of(at.events, "ignored")).toEqual([]);
    at.clock.advanceSync(3_000);
    const end = { request: id, why: "typed-over", visibleMs: 0 };
    expect(of(at.events, "ignored")).toMatchObject([end]);
    at.stop();
  });

  test("ends at once when it is told of after its document was closed", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    at.engine.close(uri);
    at.telemetry.shown(id, visible);
    expect(of(at.events, "shown")).toMatchObject([{ request: id }]);
    expect(of(at.events, "ignored")).toMatchObject([{ request: id, why: "document-closed" }]);
    at.stop();
    expect(of(at.events, "ignored")).toHaveLength(1);
  });

  test("ends with its document", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    at.telemetry.shown(id, visible);
    at.engine.close(uri);
    expect(of(at.events, "ignored")).toMatchObject([{ request: id, why: "document-closed" }]);
    at.stop();
  });

  test("is taken in pieces, and the last piece takes it", async () => {
    const at = setup();
    open(at);
    const id = await ask(at, 1, before.length);
    const { length } = textOf(at, id);
    at.telemetry.acceptedPartly(id, { kind: "word", chars: 5 });
    at.telemetry.acceptedPartly(id, { kind: "line", chars: length - 5 });
    expect(of(at.events, "shown")).toMatchObject([{ inferred: true }]);
    expect(of(at.events, "accepted_partial")).toMatchObject([{ kind: "word", chars: 5 }]);
    expect(of(at.events, "accepted")).toMatchObject([{ kind: "line", chars: length - 5 }]);
    at.stop();
  });
});

describe("an accepted text", () => {
  async function accept(at: Setup, text: string): Promise<void> {
    open(at);
    const id = await ask(at, 1, before.length);
    at.telemetry.shown(id, visible);
    typed(at, 2, before.length, text);
    at.telemetry.accepted(id, { kind: "full" });
  }

  const accepted = "items.reduce((sum, item) => sum + item.price, 0);";

  test("is looked for five times, where the edits before it moved it", async () => {
    const at = setup();
    await accept(at, accepted);
    at.engine.edit(uri, 3, [{ start: 0, end: 0, text: "// header\n".repeat(400) }]);
    at.clock.advanceSync(700_000);
    expect(of(at.events, "retained").map(({ afterSec, present }) => [afterSec, present])).toEqual(
      [15, 30, 120, 300, 600].map((seconds) => [seconds, true]),
    );
    expect(of(at.events, "retained").every(({ charDiff }) => charDiff === 0)).toBe(true);
    at.stop();
  });

  test("is not looked for any more once it is gone, or its document", async () => {
    const at = setup();
    await accept(at, accepted);
    at.clock.advanceSync(15_000);
    const start = before.length;
    at.engine.edit(uri, 3, [{ start, end: start + accepted.length, text: "other()" }]);
    at.clock.advanceSync(700_000);
    expect(of(at.events, "retained").map(({ afterSec, present }) => [afterSec, present])).toEqual([
      [15, true],
      [30, false],
    ]);
    at.stop();

    const closed = setup();
    await accept(closed, accepted);
    closed.engine.close(uri);
    closed.clock.advanceSync(700_000);
    expect(of(closed.events, "retained")).toEqual([]);
    closed.stop();
  });
});

type Step =
  | { readonly kind: "ask"; readonly document: number; readonly at: number }
  | { readonly kind: "type"; readonly document: number; readonly text: string }
  | { readonly kind: "close"; readonly document: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "tell"; readonly what: number; readonly request: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("ask" as const), document: fc.nat(1), at: fc.nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("type" as const),
      document: fc.nat(1),
      text: fc.constantFrom("i", "items", "z", "\n  const total = "),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), document: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 400, 4_000, 20_000, 400_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("tell" as const),
      what: fc.nat(8),
      request: fc.nat(40),
    }),
  },
);

test("whatever is told in whatever order, each request and each suggestion ends once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const at = setup();
      await play(at, steps);
      at.stop();
      expect(at.clock.pendingCount).toBe(0);
      expectLaws(at.events);
    }),
    { numRuns: 300 },
  );
});

/** Plays the steps with two documents; tells of requests that are not there, too. */
async function play(at: Setup, steps: readonly Step[]): Promise<void> {
  const documents = [0, 1].map((i) => ({ uri: `file:///${i}.ts`, version: 1, length: 0 }));
  const openAgain = (i: number): void => {
    const document = documents[i] ?? { uri: "", version: 0, length: 0 };
    document.version++;
    document.length = before.length;
    const { version } = document;
    at.engine.open({
      uri: document.uri,
      path: `${i}.ts`,
      languageId: "typescript",
      version,
      text: before,
    });
  };
  openAgain(0);
  openAgain(1);
  const ids: string[] = ["unknown"];
  for (const one of steps) {
    if (one.kind === "wait") at.clock.advanceSync(one.ms);
    else if (one.kind === "tell") tell(at.telemetry, ids[one.request % ids.length] ?? "", one.what);
    else {
      const document = documents[one.document] ?? { uri: "", version: 0, length: 0 };
      if (one.kind === "ask") {
        const { version } = document;
        const offset = Math.max(0, document.length - one.at);
        const place = { kind: "open", uri: document.uri, version, offset } as const;
        const result = await at.engine.complete(requestAt("", { document: place }), { signal });
        ids.push(result.id);
      } else if (one.kind === "type") {
        const { length } = document;
        document.version++;
        document.length += one.text.length;
        const edit = { start: length, end: length, text: one.text };
        at.engine.edit(document.uri, document.version, [edit]);
      } else {
        at.engine.close(document.uri);
        openAgain(one.document);
      }
    }
  }
}

function tell(telemetry: Telemetry, id: string, what: number): void {
  if (what <= 2) telemetry.shown(id, { visibleIndex: what, isInferred: what === 2 });
  else if (what === 3) telemetry.acceptedPartly(id, { kind: "word", chars: 4 });
  else if (what === 4) telemetry.accepted(id, { kind: "full" });
  else if (what === 5) telemetry.rejected(id);
  else if (what === 6) telemetry.ignored(id, "superseded");
  else if (what === 7) telemetry.ignored(id, "blur");
  else telemetry.acceptedPartly(id, { kind: "line", chars: 1_000 });
}

function expectLaws(events: readonly TelemetryEvent[]): void {
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const stories = new Map<string, TelemetryEvent[]>();
  for (const event of events) {
    stories.set(event.request, [...(stories.get(event.request) ?? []), event]);
  }
  const results = ["produced", "filtered", "none", "cancelled", "error"];
  const ends = ["accepted", "rejected", "ignored"];
  for (const story of stories.values()) {
    const types = story.map(({ type }) => type);
    expect(types.filter((type) => type === "requested")).toHaveLength(1);
    expect(types.filter((type) => results.includes(type))).toHaveLength(1);
    const shown = types.filter((type) => type === "shown").length;
    expect(shown).toBeLessThanOrEqual(1);
    expect(types.filter((type) => ends.includes(type))).toHaveLength(shown);
    const end = types.findIndex((type) => ends.includes(type));
    const shownAt = types.indexOf("shown");
    if (shown === 1) expect(shownAt).toBeLessThan(end);
    for (const [i, type] of types.entries()) {
      if (type === "accepted_partial") expect(shownAt < i && i < end).toBe(true);
      if (type === "retained") expect(end !== -1 && end < i).toBe(true);
    }
    const looks = of(story, "retained");
    const seconds = looks.map(({ afterSec }) => afterSec);
    expect(seconds).toEqual([...new Set(seconds)].sort((a, b) => a - b));
    expect(looks.slice(0, -1).every(({ present }) => present)).toBe(true);
    const taken = types.includes("accepted") || types.includes("accepted_partial");
    if (looks.length > 0) expect(taken).toBe(true);
    for (const event of story) if ("chars" in event) expect(event.chars).toBeGreaterThanOrEqual(0);
  }
}

test("A question that nobody typed is no event, and leaves what is on screen as it is.", async () => {
  const at = setup();
  open(at);
  const id = await ask(at, 1, before.length);
  at.telemetry.shown(id, { visibleIndex: 0, isInferred: false });
  const told = at.events.length;
  const document = { kind: "open", uri, version: 1, offset: before.length } as const;
  await at.engine.complete(requestAt("", { document, isNoted: false }), { signal });
  at.clock.advanceSync(10_000);
  at.telemetry.accepted(id, { kind: "full" });
  expect(at.events.slice(told).map(({ type }) => type)).toEqual(["accepted"]);
});
