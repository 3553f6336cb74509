import { WriteStream } from "node:tty";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that keeps what is written to it. */
function streamThat(isTTY: boolean): { readonly stream: WriteStream; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (text: string): boolean => {
    lines.push(text);
    return true;
  };
  const own = { isTTY, columns: 80, write };
  return { stream: Object.assign(Object.create(WriteStream.prototype), own), lines };
}

/** What is written while `work` goes on. */
function written(
  label: string,
  isTTY: boolean,
  work: (progress: ReturnType<typeof createProgress>) => void,
): readonly string[] {
  const { stream, lines } = streamThat(isTTY);
  work(createProgress(label, stream));
  return lines;
}

test("A backend that hangs is told every ten seconds, on a pipe in lines.", () => {
  const lines = written("eval infill", false, (progress) => {
    vi.advanceTimersByTime(25_000);
    progress.update(3, 24, "mbxp");
    vi.advanceTimersByTime(20_000);
    progress.finish(null);
    vi.advanceTimersByTime(60_000);
  });
  expect(lines).toEqual([
    "eval infill no result yet after 10 s\n",
    "eval infill no result yet after 20 s\n",
    "eval infill  12 % (3/24) mbxp\n",
    "eval infill  12 % (3/24) mbxp, nothing new for 10 s\n",
    "eval infill  12 % (3/24) mbxp, nothing new for 20 s\n",
  ]);
});

test("On a terminal one line changes, and none is left behind.", () => {
  const lines = written("eval infill", true, (progress) => {
    vi.advanceTimersByTime(10_000);
    progress.say("midspan: a word between");
    progress.update(1, 2, "mbxp");
    progress.finish(null);
    progress.finish(null);
  });
  const clear = "\r\u001b[2K";
  expect(lines).toEqual([
    "eval infill no result yet after 10 s",
    clear,
    "midspan: a word between\n",
    "eval infill ████████████░░░░░░░░░░░░  50 % 1/2 mbxp",
    clear,
  ]);
});

test("A note without an amount stands alone.", () => {
  const lines = written("bench latency", false, (progress) => {
    vi.advanceTimersByTime(3_000);
    progress.update(0, 0, "starting tiny");
    vi.advanceTimersByTime(10_000);
    progress.finish(null);
  });
  expect(lines).toEqual([
    "bench latency starting tiny\n",
    "bench latency starting tiny, nothing new for 10 s\n",
  ]);
});

test("Work that goes on is never called quiet.", () => {
  const lines = written("replay", false, (progress) => {
    for (let done = 0; done < 100; done++) {
      vi.advanceTimersByTime(9_000);
      progress.update(done, 100, "files");
    }
    progress.finish("done");
  });
  expect(lines.filter((line) => /nothing|no result/.test(line))).toEqual([]);
  expect(lines.at(-1)).toBe("done\n");
});
