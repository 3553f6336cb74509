// `npm test [-- FILTER --flags]`: installs and builds what is out of date, then runs every test.
// The last line is "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, run, say } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), "midspan-test-"));
const report = join(folder, "report.json");
const args = ["run", ...process.argv.slice(2), "--reporter=default", "--reporter=json"];
const code = run("vitest", [...args, `--outputFile.json=${report}`]);
const { passed, failed } = counts(report);
rmSync(folder, { recursive: true, force: true });
if (code !== 0 && failed === 0) say("The test run broke off; see above.");
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(code !== 0 || failed > 0 ? 1 : 0);

function counts(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0 };
  const result = JSON.parse(readFileSync(path, "utf8"));
  // A file that fails to load has no tests of its own, yet it failed.
  const broken = result.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((t) => t.status === "failed"),
  );
  return { passed: result.numPassedTests, failed: result.numFailedTests + broken.length };
}
