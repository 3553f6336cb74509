// `npm start [-- DIR --flags]`: installs and builds what is out of date, then runs `midspan serve`.
// The program runs in this very process, so its exit code and signals need no forwarding.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
stopWithParent();
const main = join(root, "dist", "cli", "main.js");
process.argv = [process.argv[0], main, "serve", ...process.argv.slice(2)];
await import(pathToFileURL(main).href);

/** npm runs this through a shell; one that is killed does not pass the signal on. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 300);
  watch.unref();
}
