import { configDefaults, defineConfig } from "vitest/config";
import { findEmacs, howToGetEmacs } from "./test/e2e/emacs/emacs.ts";
import { findNvim, howToGetNvim } from "./test/e2e/nvim/nvim.ts";
import { findCodeServer, howToGetCodeServer } from "./test/e2e/vscode/code-server.ts";
import { findChromium, howToGetChromium } from "./test/integration/chromium.ts";
import { findEngine, howToGetEngine } from "./test/integration/embedded-engine.ts";
import { findLlamaServer, howToGetLlamaServer } from "./test/integration/llama-server.ts";

// A suite whose real program is missing is left out; on a build machine Chromium must be there.
const hasBrowser = findChromium() !== null || process.env.CI === "true";
const browserTests = ["playground.test.ts", "dashboard.test.ts"];
if (!hasBrowser) console.warn(`${browserTests.join(" and ")} are left out: ${howToGetChromium}`);
const hasLlamaServer = findLlamaServer() !== null || Boolean(process.env.MIDSPAN_LLAMA_SERVER);
if (!hasLlamaServer) {
  console.warn(`llama-server.test.ts and model-run.test.ts are left out: ${howToGetLlamaServer}`);
}
const hasEngine = findEngine() !== null || Boolean(process.env.MIDSPAN_TEST_ENGINE);
if (!hasEngine) console.warn(`embedded-engine.test.ts is left out: ${howToGetEngine}`);
const hasNvim = findNvim() !== null || Boolean(process.env.MIDSPAN_NVIM);
if (!hasNvim) console.warn(`nvim.test.ts is left out: ${howToGetNvim}`);
const hasEmacs = findEmacs() !== null || Boolean(process.env.MIDSPAN_EMACS);
if (!hasEmacs) console.warn(`emacs.test.ts is left out: ${howToGetEmacs}`);
const hasCodeServer = findCodeServer() !== null;
if (!hasCodeServer) console.warn(`vscode.test.ts is left out: ${howToGetCodeServer}`);

// A workbench needs the whole machine: it is tried after everything else.
const workbenchTests = "test/e2e/vscode/**/*.test.ts";
const common = {
  pool: "forks",
  testTimeout: 20_000,
  hookTimeout: 60_000,
  restoreMocks: true,
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: "product",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [
            ...configDefaults.exclude,
            workbenchTests,
            ...(hasBrowser ? [] : browserTests.map((name) => `test/integration/${name}`)),
            ...(hasLlamaServer
              ? []
              : ["test/integration/llama-server.test.ts", "test/integration/model-run.test.ts"]),
            ...(hasEngine ? [] : ["test/integration/embedded-engine.test.ts"]),
            ...(hasNvim ? [] : ["test/e2e/nvim/nvim.test.ts"]),
            ...(hasEmacs ? [] : ["test/e2e/emacs/emacs.test.ts"]),
          ],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: "VS Code",
          include: hasCodeServer ? [workbenchTests] : [],
          sequence: { groupOrder: 1 },
        },
      },
    ],
    maxWorkers: 2,
    passWithNoTests: false,
  },
});
