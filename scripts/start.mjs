// `npm start [-- DIR --flags]`: installs and builds what is out of date, then runs `midspan serve`.
// The program runs in this very process, so signals and the exit code need no forwarding.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "./prepare.mjs";

ensureInstalled();
await ensureBuilt();
const main = join(root, "dist", "cli", "main.js");
process.argv = [process.argv[0], main, "serve", ...process.argv.slice(2)];
await import(pathToFileURL(main).href);
