/**
 * Progress of long work: one line that redraws itself on a terminal, a line every few seconds
 * elsewhere. Everything goes to stderr; stdout belongs to results and protocols.
 */
const BAR_CELLS = 24;
const REDRAW_MS = 80;
const LINE_EVERY_MS = 2_000;

/** Shows how far one piece of work is. */
export interface Progress {
  /** `done` of `total`, with a short note such as the file at hand. */
  update(done: number, total: number, note: string): void;
  /** Replaces the bar by a final line; `null` leaves nothing behind, and may come once more. */
  finish(line: string | null): void;
}

/** A progress display named `label` on `stream`, usually `process.stderr`. */
export function createProgress(label: string, stream: NodeJS.WriteStream): Progress {
  return stream.isTTY === true ? barOn(label, stream) : linesOn(label, stream);
}

function barOn(label: string, stream: NodeJS.WriteStream): Progress {
  let drawnAt = 0;
  const clear = (): void => void stream.write("\r\u001b[2K");
  return {
    update(done, total, note) {
      const now = Date.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const width = Math.max(40, stream.columns ?? 80);
      const text = `${label} ${bar(done, total)} ${percent(done, total)} ${done}/${total} ${note}`;
      clear();
      stream.write(text.length < width ? text : `${text.slice(0, width - 2)}…`);
    },
    finish(line) {
      if (drawnAt > 0) clear();
      drawnAt = 0;
      if (line !== null) stream.write(`${line}\n`);
    },
  };
}

function linesOn(label: string, stream: NodeJS.WriteStream): Progress {
  let wroteAt = Date.now();
  return {
    update(done, total, note) {
      const now = Date.now();
      if (now - wroteAt < LINE_EVERY_MS) return;
      wroteAt = now;
      stream.write(`${label} ${percent(done, total)} (${done}/${total}) ${note}\n`);
    },
    finish(line) {
      if (line !== null) stream.write(`${line}\n`);
    },
  };
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * BAR_CELLS);
  return "█".repeat(filled) + "░".repeat(BAR_CELLS - filled);
}

function percent(done: number, total: number): string {
  const value = total === 0 ? 0 : Math.floor((100 * Math.min(done, total)) / total);
  return `${value} %`.padStart(5);
}
