import { describe, expect, it } from "vitest";
import type { KeyPress } from "./key-press.ts";
import { NewestKeyPress } from "./newest-key-press.ts";

const failed: KeyPress = { kind: "failed", message: "No." };
const paused: KeyPress = { kind: "paused" };

/** The words that the panel was given, and a clock that rings by hand. */
function panel() {
  const said: string[] = [];
  const timers = new Set<() => void>();
  const newest = new NewestKeyPress({
    onKeyPress: ({ kind }) => said.push(kind),
    after: (_ms, callback) => {
      const timer = (): void => callback();
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  /** All timers that run ring, in the order in which they were set. */
  const ring = (): void => {
    for (const timer of timers) {
      timers.delete(timer);
      timer();
    }
  };
  return { newest, said, ring };
}

describe("the newest key press", () => {
  it("that is answered at once never says that it waits", () => {
    const { newest, said, ring } = panel();
    newest.asks("automatic").ends(failed);
    ring();
    expect(said).toEqual(["failed"]);
  });

  it("says that it waits, though each key takes the place of the one before", () => {
    const { newest, said, ring } = panel();
    const keys = ["a", "b", "c"].map(() => {
      const question = newest.asks("automatic");
      question.isWithdrawn();
      return question;
    });
    newest.asks("automatic");
    ring();
    expect(said).toEqual(["waiting"]);
    for (const question of keys) question.ends(failed);
    expect(said).toEqual(["waiting"]);
  });

  it("says that its question was withdrawn when no newer one came", () => {
    const { newest, said, ring } = panel();
    const question = newest.asks("invoked");
    ring();
    question.isWithdrawn();
    ring();
    expect(said).toEqual(["waiting", "withdrawn"]);
  });

  it("that needs no answer silences the one that waits", () => {
    const { newest, said, ring } = panel();
    const question = newest.asks("automatic");
    newest.needsNoAnswer(paused);
    question.ends(failed);
    ring();
    expect(said).toEqual(["paused"]);
  });

  it("is forgotten with all that it would have said", () => {
    const { newest, said, ring } = panel();
    const question = newest.asks("automatic");
    newest.forget();
    question.isWithdrawn();
    ring();
    expect(said).toEqual([]);
  });
});
