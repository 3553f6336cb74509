/** Programs that tests start end with them, however the run ends: a killed run leaves nothing behind. */
import { type ChildProcess, spawn } from "node:child_process";

// A worker whose runner was killed would go on alone.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));

/**
 * Has a program, and its group where it leads one, killed when this process is gone, and what is left
 * of the group when the program is. Returns what kills them now.
 */
export function keepProcess(child: ChildProcess): () => void {
  if (child.pid === undefined || process.platform === "win32") return () => child.kill("SIGKILL");
  // Its stdin ends with this process; nobody has to be alive to say so.
  const keeper = spawn(
    "sh",
    ["-c", 'cat; kill -s KILL -- "-$1" || kill -s KILL "$1"', "sh", `${child.pid}`],
    {
      stdio: ["pipe", "ignore", "ignore"],
      // Ctrl+C and a time limit are for the run alone.
      detached: true,
    },
  );
  keeper.unref();
  const end = (): void => {
    keeper.stdin.end();
  };
  child.once("exit", end);
  return end;
}
