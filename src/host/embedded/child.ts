/**
 * The process in which a model runs, so that a crash of native code costs one request and not the
 * program. Talks over the channel that `fork` opens, and ends with it.
 */
import { EngineSession } from "./engine-session.ts";

/** Native code may hang or crash when it is taken down politely; there is nothing to save. */
const vanish = (): void => {
  process.kill(process.pid, "SIGKILL");
};

const session = new EngineSession((reply) => process.send?.(reply));
process.on("message", (value) => {
  // A message that cannot be obeyed: the other side is not ours or is broken.
  session.handle(value).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`, vanish);
  });
});
process.on("disconnect", vanish);
// Ctrl-C goes to the whole group; whoever started us ends us.
process.on("SIGINT", () => {});
