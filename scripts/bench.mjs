// `npm run bench [-- WHAT --flags]` is `midspan bench WHAT`, installed and built first.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
const main = join(root, "dist", "cli", "main.js");
process.argv = [process.argv[0], main, "bench", ...process.argv.slice(2)];
await import(pathToFileURL(main).href);
