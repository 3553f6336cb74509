import type { Clock } from "../core/index.ts";

/** Real time. A pending timer keeps the process alive until it fires or is cancelled. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
