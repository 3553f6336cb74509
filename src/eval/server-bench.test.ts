import { expect, it } from "vitest";
import { silentReporter } from "./bench-report.ts";
import { type BenchTarget, listenBare } from "./bench-target.ts";
import { renderMarkdown } from "./report/render-markdown.ts";
import { runServerBench, serverReport } from "./server-bench.ts";

/** A bare server in this process that says it used `usPerRequest` for each request so far. */
async function target(usPerRequest: number, requests: number): Promise<BenchTarget> {
  const { url, close } = await listenBare();
  let used = 0;
  return {
    url,
    cpuMs: async () => {
      const now = used;
      used += (usPerRequest * requests) / 1_000;
      return now;
    },
    stop: close,
  };
}

it("takes the bare server's time off", async () => {
  const report = await runServerBench({
    requests: 10,
    rounds: 2,
    connections: 2,
    startServer: () => target(300, 10),
    startBare: () => target(100, 10),
    reporter: silentReporter,
  });
  for (const { serverUs, addedUs } of report.costs) {
    expect(serverUs).toBeCloseTo(300, 6);
    expect(addedUs).toBeCloseTo(200, 6);
  }
  const page = renderMarkdown(serverReport(report), { pictureOf: () => null });
  expect(page).toMatch(/\| pass \| CPU added/);
});

it("fails when a server does not answer with a text", async () => {
  const gone = async (): Promise<BenchTarget> => {
    const bare = await target(0, 0);
    await bare.stop();
    return { ...bare, stop: async () => {} };
  };
  const load = { requests: 1, rounds: 1, connections: 1, reporter: silentReporter };
  const run = runServerBench({ ...load, startServer: gone, startBare: gone });
  await expect(run).rejects.toThrow("ECONNREFUSED");
});
