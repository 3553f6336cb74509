/** Notices that another process of this machine is gone, such as an editor that crashed. */
import type { Dispose } from "../base/event.ts";
import type { Clock } from "../core/index.ts";

/** As often as the protocol's own library looks. */
const LOOK_MS = 3_000;

/** Calls `onGone` once, within three seconds of the end of the process. */
export function watchProcess(
  pid: number,
  options: { readonly clock: Clock; readonly onGone: () => void },
): Dispose {
  const { clock, onGone } = options;
  let cancel: Dispose;
  const look = (): void => {
    if (isRunning(pid)) cancel = clock.after(LOOK_MS, look);
    else onGone();
  };
  cancel = clock.after(LOOK_MS, look);
  return () => cancel();
}

/** False for a process of another machine or container too, as far as no other has its number. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether one could be sent.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, and is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
