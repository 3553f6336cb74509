// `npm run build`: installs and builds what is out of date, starts nothing.
import { ensureBuilt, ensureInstalled, say } from "./prepare.mjs";

ensureInstalled();
if (!ensureBuilt()) say("dist/ is up to date.");
