/**
 * Progress of long work: one line that redraws itself on a terminal, a line every few seconds
 * elsewhere. Work that brings nothing new says so every ten seconds, so that nobody takes a slow
 * server for a dead program. Everything goes to stderr; stdout belongs to results and protocols.
 */
const BAR_CELLS = 24;
const REDRAW_MS = 80;
const LINE_EVERY_MS = 2_000;
const QUIET_MS = 10_000;

/** Shows how far one piece of work is. */
export interface Progress {
  /** `done` of `total`, with a short note such as the file at hand. */
  update(done: number, total: number, note: string): void;
  /** Writes a line of its own; the work goes on. */
  say(line: string): void;
  /** Ends with a final line; `null` leaves nothing behind, and may come once more. */
  finish(line: string | null): void;
}

/** A progress display named `label` on `stream`, usually `process.stderr`. It ends with `finish`. */
export function createProgress(label: string, stream: NodeJS.WriteStream): Progress {
  const display = stream.isTTY === true ? barOn(label, stream) : linesOn(label, stream);
  let step: Step | null = null;
  let movedAt = Date.now();
  const timer = setInterval(() => {
    display.quiet(step, Math.round((Date.now() - movedAt) / 1_000));
  }, QUIET_MS);
  // Work that forgets to finish ends all the same.
  timer.unref();
  return {
    update(done, total, note) {
      step = { done, total, note };
      movedAt = Date.now();
      timer.refresh();
      display.show(step);
    },
    say(line) {
      display.clear();
      stream.write(`${line}\n`);
    },
    finish(line) {
      clearInterval(timer);
      display.clear();
      if (line !== null) stream.write(`${line}\n`);
    },
  };
}

interface Step {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

interface Display {
  show(step: Step): void;
  /** For so many seconds nothing has come after `step`; `null`: nothing has come at all. */
  quiet(step: Step | null, seconds: number): void;
  clear(): void;
}

function barOn(label: string, stream: NodeJS.WriteStream): Display {
  let drawnAt = 0;
  const clear = (): void => {
    if (drawnAt > 0) stream.write("\r\u001b[2K");
    drawnAt = 0;
  };
  const draw = (text: string): void => {
    const width = Math.max(40, stream.columns ?? 80);
    clear();
    drawnAt = Date.now();
    stream.write(text.length < width ? text : `${text.slice(0, width - 2)}…`);
  };
  return {
    clear,
    show({ done, total, note }) {
      if (Date.now() - drawnAt < REDRAW_MS) return;
      const far =
        total === 0 ? "" : `${bar(done, total)} ${percent(done, total)} ${done}/${total} `;
      draw(`${label} ${far}${note}`);
    },
    quiet(step, seconds) {
      draw(`${label} ${quietWords(step, seconds)}`);
    },
  };
}

function linesOn(label: string, stream: NodeJS.WriteStream): Display {
  let wroteAt = Date.now();
  const write = (text: string): void => {
    wroteAt = Date.now();
    stream.write(`${label} ${text}\n`);
  };
  return {
    clear() {},
    show(step) {
      if (Date.now() - wroteAt < LINE_EVERY_MS) return;
      write(`${amount(step)}${step.note}`);
    },
    quiet(step, seconds) {
      write(quietWords(step, seconds));
    },
  };
}

function quietWords(step: Step | null, seconds: number): string {
  if (step === null) return `no result yet after ${seconds} s`;
  const note = step.note === "" ? "" : `${step.note}, `;
  return `${amount(step)}${note}nothing new for ${seconds} s`;
}

/** Empty where nobody knows how much there is. */
function amount({ done, total }: Step): string {
  return total === 0 ? "" : `${percent(done, total)} (${done}/${total}) `;
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * BAR_CELLS);
  return "█".repeat(filled) + "░".repeat(BAR_CELLS - filled);
}

function percent(done: number, total: number): string {
  const value = total === 0 ? 0 : Math.floor((100 * Math.min(done, total)) / total);
  return `${value} %`.padStart(5);
}
