// `npm run eval:quick` and `npm run eval:ci`: installs what is missing, then evaluates the sources as
// they are, without a build.
import { ensureInstalled, run } from "./prepare.mjs";

ensureInstalled();
process.exitCode = run("tsx", ["scripts/eval-quick.ts", ...process.argv.slice(2)]);
