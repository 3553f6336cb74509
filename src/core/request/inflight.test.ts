import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextBuffer } from "../../base/text-buffer.ts";
import { type CursorView, viewAt } from "./cursor-view.ts";
import {
  type InflightAction,
  type InflightEvent,
  type InflightOptions,
  type InflightState,
  idleInflight,
  nextInflight,
  type Question,
} from "./inflight.ts";

/** `a█b`: the view of a document from its cursor. */
function view(marked: string): CursorView {
  return viewAt(TextBuffer.from(marked.replace("█", "")), marked.indexOf("█"));
}

function question(id: string, marked: string, document = "doc"): Question {
  return { id, document, key: `${document} ${marked}`, view: view(marked) };
}

const asked = (id: string, marked: string, document?: string): InflightEvent => ({
  kind: "asked",
  question: question(id, marked, document),
});
const text = (run: string, piece: string): InflightEvent => ({ kind: "text", run, text: piece });
const finished = (run: string): InflightEvent => ({ kind: "finished", run });

/** The actions of a list of events, in words, one list for each event. */
function play(options: Partial<InflightOptions>, ...events: readonly InflightEvent[]): string[][] {
  let state: InflightState = idleInflight;
  return events.map((event) => {
    const step = nextInflight(state, event, { policy: "join", maxRuns: 99, ...options });
    state = step.state;
    return step.actions.map(inWords);
  });
}

function inWords(action: InflightAction): string {
  switch (action.kind) {
    case "join":
      return `${action.question} joins ${action.run}`;
    case "supersede":
      return `supersede ${action.question}`;
    case "settle":
      return `${action.question} gets ${action.run} ${action.end}`;
    default:
      return `${action.kind} ${action.run}`;
  }
}

describe("requests in flight", () => {
  test("a question starts a run and is settled by its end", () => {
    expect(play({}, asked("1", "a█"), text("1", "b"), finished("1"))).toEqual([
      ["start 1"],
      [],
      ["1 gets 1 finished"],
    ]);
    expect(play({}, asked("1", "a█"), { kind: "failed", run: "1" })).toEqual([
      ["start 1"],
      ["1 gets 1 failed"],
    ]);
  });

  test("an equal question joins, whatever document it belongs to", () => {
    const same = { ...question("2", "a█", "copy"), key: "doc a█" };
    const events = [asked("1", "a█"), { kind: "asked", question: same } as const, finished("1")];
    expect(play({}, ...events)).toEqual([
      ["start 1"],
      ["2 joins 1"],
      ["1 gets 1 finished", "2 gets 1 finished"],
    ]);
  });

  test("a run goes on while what is typed agrees with its text, and is joined", () => {
    const events = [asked("1", "a█"), asked("2", "ab█"), text("1", "bc"), asked("3", "abc█")];
    expect(play({}, ...events, text("1", "d"), finished("1"))).toEqual([
      ["start 1"],
      ["supersede 1", "2 joins 1"],
      [],
      ["supersede 2", "3 joins 1"],
      [],
      ["3 gets 1 finished"],
    ]);
  });

  test("a run that no longer agrees is cancelled before the next one starts", () => {
    expect(play({}, asked("1", "a█"), text("1", "x"), asked("2", "ab█"))[2]).toEqual([
      "supersede 1",
      "cancel 1",
      "start 2",
    ]);
  });

  test("text that contradicts what was typed sends the question on its own way", () => {
    expect(play({}, asked("1", "a█"), asked("2", "ab█"), text("1", "x"), finished("1"))).toEqual([
      ["start 1"],
      ["supersede 1", "2 joins 1"],
      ["cancel 1", "start 2"],
      [],
    ]);
  });

  test("text that ends at what was typed answers nothing: the question starts after all", () => {
    expect(
      play({}, asked("1", "a█"), asked("2", "abc█"), text("1", "bc"), finished("1"))[3],
    ).toEqual(["start 2"]);
  });

  test("a failure is the answer of all who wait", () => {
    const events = [asked("1", "a█"), asked("2", "ab█"), { kind: "failed", run: "1" } as const];
    expect(play({}, ...events)[2]).toEqual(["2 gets 1 failed"]);
  });

  test("an abandoned run about a document that is not known again ends at once", () => {
    const once = { kind: "asked", question: { ...question("1", "a█"), isOnce: true } } as const;
    expect(play({}, once, { kind: "abandoned", question: "1" })[1]).toEqual(["cancel 1"]);
  });

  test("an abandoned run lingers, and the next question may join it", () => {
    const events = [asked("1", "a█"), { kind: "abandoned", question: "1" } as const];
    expect(play({}, ...events, asked("2", "ab█"), { kind: "lingered", run: "1" })).toEqual([
      ["start 1"],
      ["linger 1"],
      ["2 joins 1"],
      [],
    ]);
    expect(play({}, ...events, { kind: "lingered", run: "1" })[2]).toEqual(["cancel 1"]);
  });

  test("a change without a question ends what no longer agrees", () => {
    const moved = (marked: string) =>
      ({ kind: "moved", document: "doc", view: view(marked) }) as const;
    expect(play({}, asked("1", "a█"), moved("ab█"), moved("█"))).toEqual([
      ["start 1"],
      ["supersede 1", "linger 1"],
      ["cancel 1"],
    ]);
  });

  test("policy detach: a run that no longer agrees goes on for the cache", () => {
    const events = [asked("1", "a█"), text("1", "x"), asked("2", "ab█"), finished("1")];
    expect(play({ policy: "detach" }, ...events)).toEqual([
      ["start 1"],
      [],
      ["supersede 1", "start 2"],
      [],
    ]);
  });

  test("policy cancel: what the newest question does not join ends at once", () => {
    const options = { policy: "cancel", maxRuns: 1 } as const;
    const moved = { kind: "moved", document: "doc", view: view("ab█") } as const;
    expect(play(options, asked("1", "a█"), asked("2", "ab█"), asked("3", "x█"), moved)).toEqual([
      ["start 1"],
      ["supersede 1", "2 joins 1"],
      ["supersede 2", "cancel 1", "start 3"],
      ["supersede 3", "cancel 3"],
    ]);
  });

  test("with one slot other documents wait for their turn, the newest question of each", () => {
    const events = [asked("1", "a█"), asked("2", "b█", "other"), asked("3", "c█", "other")];
    expect(play({ maxRuns: 1 }, ...events, finished("1"), finished("3"))).toEqual([
      ["start 1"],
      [],
      ["supersede 2"],
      ["1 gets 1 finished", "start 3"],
      ["3 gets 3 finished"],
    ]);
  });

  test("a run for which nobody waits makes room", () => {
    const events = [asked("1", "a█"), { kind: "abandoned", question: "1" } as const];
    expect(play({ maxRuns: 1 }, ...events, asked("2", "b█", "other"))[2]).toEqual([
      "cancel 1",
      "start 2",
    ]);
  });
});

describe("laws of the machine", () => {
  const options = fc.record<InflightOptions>({
    policy: fc.constantFrom("join", "detach", "cancel"),
    maxRuns: fc.integer({ min: 1, max: 3 }),
  });
  const marked = fc.constantFrom("█", "a█", "ab█", "abc█", "abd█", "x█", "f(█)");
  const document = fc.constantFrom("one", "two");
  const id = fc.nat(12).map(String);
  /** `asked` gets its id when it is played. */
  const event = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant("asked"), marked, document) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("moved"), marked, document) },
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom("abandoned", "lingered", "finished", "failed"), id, id),
    },
    { weight: 4, arbitrary: fc.tuple(fc.constant("text"), id, fc.constantFrom("b", "c", "x")) },
  );

  function eventOf([kind, a, b]: readonly [string, string, string], next: number): InflightEvent {
    if (kind === "asked") return asked(`${next}`, a, b);
    if (kind === "moved") return { kind, document: b, view: view(a) };
    if (kind === "abandoned") return { kind, question: a };
    if (kind === "text") return text(a, b);
    return { kind: kind as "lingered" | "finished" | "failed", run: a };
  }

  test("each run ends once, each question starts, and is settled, at most once", () => {
    fc.assert(
      fc.property(options, fc.array(event, { maxLength: 40 }), (rules, list) => {
        let state: InflightState = idleInflight;
        let next = 0;
        const running = new Set<string>();
        const started = new Set<string>();
        /** Questions that somebody waits for. */
        const open = new Set<string>();

        const playOne = (happening: InflightEvent): void => {
          const isKnown =
            !("run" in happening) || running.has(happening.run) || happening.kind === "lingered";
          if (happening.kind === "asked") open.add(happening.question.id);
          if (happening.kind === "finished" || happening.kind === "failed") {
            running.delete(happening.run);
          }
          const step = nextInflight(state, happening, rules);
          if (!isKnown) expect(step).toEqual({ state, actions: [] });
          if (happening.kind === "abandoned") open.delete(happening.question);
          for (const action of step.actions) {
            if (action.kind === "start") {
              expect(started.has(action.run)).toBe(false);
              expect(open.has(action.run)).toBe(true);
              started.add(action.run);
              running.add(action.run);
            } else if (action.kind === "cancel") {
              expect(running.delete(action.run)).toBe(true);
            } else if (action.kind === "join") {
              expect(open.has(action.question) && running.has(action.run)).toBe(true);
            } else if (action.kind === "linger") {
              expect(running.has(action.run)).toBe(true);
            } else {
              expect(open.delete(action.question)).toBe(true);
            }
          }
          state = step.state;
          expect(new Set(state.runs.map(({ origin }) => origin.id))).toEqual(running);
          expect(running.size).toBeLessThanOrEqual(rules.maxRuns);
          // Whoever is open waits in exactly one place, and a document has one open question.
          const waiting = [...state.queue, ...state.runs.flatMap((run) => run.waiting)];
          expect(waiting.map((q) => q.id).sort()).toEqual([...open].sort());
          expect(new Set(waiting.map((q) => q.document)).size).toBe(waiting.length);
        };

        for (const item of list) playOne(eventOf(item, next++));
        // When every run ends, every question is settled and nothing is left.
        for (let left = [...running]; left.length > 0; left = [...running]) {
          for (const run of left) if (running.has(run)) playOne(finished(run));
        }
        expect(state).toEqual(idleInflight);
        expect(open.size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test("joining never duplicates: a run that may still fit is neither doubled nor cancelled", () => {
    const answer = "bcdefgh";
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("type", "receive", "cancel"), { maxLength: 30 }),
        (steps) => {
          let state: InflightState = idleInflight;
          let [typed, received, next] = [0, 0, 0];
          const kinds: string[] = [];
          const send = (happening: InflightEvent): void => {
            const step = nextInflight(state, happening, { policy: "join", maxRuns: 9 });
            state = step.state;
            kinds.push(...step.actions.map((action) => action.kind));
          };
          send(asked("0", "a█"));
          for (const what of steps) {
            if (what === "receive" && received < answer.length)
              send(text("0", answer[received++] ?? ""));
            if (what === "cancel") send({ kind: "abandoned", question: `${next}` });
            if (what === "type" && typed + 1 < answer.length) {
              typed++;
              send(asked(`${++next}`, `a${answer.slice(0, typed)}█`));
            }
          }
          expect(kinds.filter((kind) => kind === "start")).toHaveLength(1);
          expect(kinds).not.toContain("cancel");
        },
      ),
    );
  });
});
