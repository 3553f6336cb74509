import fc from "fast-check";
import { expect, test } from "vitest";
import { Admission, type AdmissionLimits } from "./admission.ts";

/** Runs that start when admitted and end when told to. */
class Runs {
  nowMs = 0;
  readonly started: string[] = [];
  readonly ended: string[] = [];
  readonly admission: Admission;
  readonly #finish = new Map<string, () => void>();

  constructor(limits: Partial<AdmissionLimits>) {
    this.admission = new Admission(
      { maxInFlight: 1, maxQueued: 2, maxQueueMs: 100, ...limits },
      () => this.nowMs,
    );
  }

  /** Asks for a place; the result is noted in `ended`. */
  add(name: string, signal: AbortSignal = new AbortController().signal): void {
    const work = (): Promise<void> => {
      this.started.push(name);
      return new Promise((resolve) => this.#finish.set(name, resolve));
    };
    this.admission.run(work, { signal }).then(
      () => this.ended.push(`${name} done`),
      (error: { code?: string }) => this.ended.push(`${name} ${error.code ?? error}`),
    );
  }

  async finish(name: string): Promise<void> {
    this.#finish.get(name)?.();
    await settled();
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("The newest of those who wait goes first.", async () => {
  const runs = new Runs({});
  for (const name of ["a", "b", "c"]) runs.add(name);
  await runs.finish("a");
  await runs.finish("c");
  await runs.finish("b");
  expect(runs.started).toEqual(["a", "c", "b"]);
  expect([runs.admission.inFlight, runs.admission.queued]).toEqual([0, 0]);
});

test("A full queue refuses its oldest.", async () => {
  const runs = new Runs({});
  for (const name of ["a", "b", "c", "d"]) runs.add(name);
  await settled();
  expect(runs.ended).toEqual(["b OVERLOADED"]);
  expect([runs.admission.inFlight, runs.admission.queued]).toEqual([1, 2]);
});

test("What waited too long is refused instead of started.", async () => {
  const runs = new Runs({});
  runs.add("a");
  runs.add("b");
  runs.nowMs = 101;
  runs.add("c");
  await runs.finish("a");
  await runs.finish("c");
  expect(runs.started).toEqual(["a", "c"]);
  expect(runs.ended).toEqual(["a done", "c done", "b OVERLOADED"]);
});

test("Aborting while waiting gives the place in the queue back.", async () => {
  const runs = new Runs({});
  const controller = new AbortController();
  runs.add("a");
  runs.add("b", controller.signal);
  controller.abort("gone");
  await settled();
  expect([runs.ended, runs.admission.queued]).toEqual([["b gone"], 0]);
  await runs.finish("a");
  expect(runs.admission.inFlight).toBe(0);
});

test("Work that throws leaves its place.", async () => {
  const { admission } = new Runs({});
  const { signal } = new AbortController();
  await expect(admission.run(() => Promise.reject(new Error("x")), { signal })).rejects.toThrow();
  const thrown = (): Promise<never> => {
    throw new Error("y");
  };
  await expect(admission.run(thrown, { signal })).rejects.toThrow("y");
  expect(admission.inFlight).toBe(0);
});

test("Never more at once than allowed, and everybody gets exactly one end.", async () => {
  const step = fc.oneof(
    fc.constant({ kind: "add" } as const),
    fc.record({ kind: fc.constantFrom("finish", "abort"), at: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, maxInFlight) => {
        const runs = new Runs({ maxInFlight, maxQueued: 3 });
        const controllers: AbortController[] = [];
        for (const one of steps) {
          if (one.kind === "add") {
            const controller = new AbortController();
            runs.add(String(controllers.length), controller.signal);
            controllers.push(controller);
          } else if (controllers.length > 0) {
            const index = one.at % controllers.length;
            if (one.kind === "abort") controllers[index]?.abort("gone");
            else await runs.finish(String(index));
          }
          expect(runs.admission.inFlight).toBeLessThanOrEqual(maxInFlight);
          expect(runs.admission.queued).toBeLessThanOrEqual(3);
        }
        for (let round = 0; round < controllers.length; round++) {
          for (const name of [...runs.started]) await runs.finish(name);
        }
        expect(runs.ended.map((end) => Number.parseInt(end, 10)).sort((a, b) => a - b)).toEqual(
          controllers.map((_, i) => i),
        );
        expect([runs.admission.inFlight, runs.admission.queued]).toEqual([0, 0]);
      },
    ),
    { numRuns: 40 },
  );
});
