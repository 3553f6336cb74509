/** What a client was told is kept survives the death of the server, as the built program keeps it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { httpCall, postJson } from "../../src/testing/http-call.ts";
import { cleanEnvironment, program, runToEnd, startServer, temporaryFolder } from "./product.ts";

const folder = temporaryFolder("events");
const workspace = join(folder.path, "work space ü");
const env = cleanEnvironment(join(folder.path, "home"));

afterAll(() => folder.dispose());

it("No event is lost that was acknowledged before the server was killed.", async () => {
  const line = "  const total = items.reduce((sum, item) => sum + item.price, 0);\n";
  mkdirSync(workspace);
  for (const name of ["a.ts", "b.ts"]) writeFileSync(join(workspace, name), line.repeat(3));
  const args = [program, "serve", workspace, "--port", "0", "--no-open", "--threshold", "0"];
  const pattern = /Indexed[\s\S]*(http:\/\/127\.0\.0\.1:\d+)\/\n/;
  const server = await startServer(process.execPath, args, { cwd: workspace, env, pattern });
  const port = Number(new URL(server.url).port);

  const ids: string[] = [];
  for (const path of ["x.ts", "y.ts", "z.ts"]) {
    const body = { prefix: "  const total = ", suffix: "\n", path, session: "s" };
    const { id, completion } = JSON.parse((await postJson(port, "/v1/autocomplete", body)).body);
    expect(completion).not.toBe("");
    ids.push(id);
  }
  const at = Date.now();
  const events = ids.flatMap((request, i) => [
    { id: `shown ${i}`, type: "shown", request, ts: at - 2_000 },
    { id: `end ${i}`, type: i === 0 ? "rejected" : "accepted", request, ts: at },
  ]);
  const answer = await postJson(port, "/v1/events", { sent_at: at, events });
  expect(JSON.parse(answer.body)).toEqual({ enabled: true, taken: 6, repeated: 0, unknown: 0 });
  await server.stop("SIGKILL");

  const { stdout } = await runToEnd(process.execPath, [program, "stats", "--json"], {
    cwd: workspace,
    env,
  });
  expect(JSON.parse(stdout).total).toMatchObject({
    requests: 3,
    produced: 3,
    shown: 3,
    counted: 3,
    accepted: 2,
    rejected: 1,
    acceptance_rate: 2 / 3,
  });
}, 60_000);

it("Events that the disk does not take are seen in the health and on the dashboard, until it does.", async () => {
  const home = join(folder.path, "full home");
  const notes = join(home, "data", "events");
  const args = [program, "serve", workspace, "--port", "0", "--no-open", "--threshold", "0"];
  const server = await startServer(process.execPath, args, {
    cwd: workspace,
    env: cleanEnvironment(home),
  });
  const port = Number(new URL(server.url).port);
  const read = async (path: string) => JSON.parse((await httpCall(port, { path })).body);
  const ask = async (path: string): Promise<void> => {
    const body = { prefix: "  const total = ", suffix: "\n", path, session: "s" };
    expect((await postJson(port, "/v1/autocomplete", body)).status).toBe(200);
    // Reading the figures writes what waits.
    await read(`/v1/stats?days=${path.length}`);
  };
  expect(await read("/v1/health")).toMatchObject({ status: "ok", problems: [] });
  // A file in the way stands for a full disk, which no test can have.
  rmSync(notes, { recursive: true, force: true });
  writeFileSync(notes, "");
  await ask("x.ts");
  const message = expect.stringContaining(
    `cannot write ${notes}: a file is in the way of a folder`,
  );
  const problems = [{ code: "STORAGE_UNWRITABLE", message }];
  expect(await read("/v1/health")).toMatchObject({ status: "degraded", problems });
  expect((await read("/v1/stats?days=30")).warnings).toEqual([message]);
  rmSync(notes);
  await ask("long-name.ts");
  expect(await read("/v1/health")).toMatchObject({ status: "ok", problems: [] });
  expect((await read("/v1/stats?days=31")).warnings).toEqual([]);
  await server.stop();
}, 60_000);

it("A folder of events that cannot be made is told with its reason, and completions go on.", async () => {
  const home = join(folder.path, "read-only home");
  mkdirSync(join(home, "data"), { recursive: true });
  writeFileSync(join(home, "data", "events"), "");
  const args = [program, "serve", workspace, "--port", "0", "--no-open", "--threshold", "0"];
  const server = await startServer(process.execPath, args, {
    cwd: workspace,
    env: cleanEnvironment(home),
  });
  const port = Number(new URL(server.url).port);
  const health = JSON.parse((await httpCall(port, { path: "/v1/health" })).body);
  expect(health).toMatchObject({ status: "degraded", problems: [{ code: "STORAGE_UNWRITABLE" }] });
  const stats = await httpCall(port, { path: "/v1/stats" });
  expect([stats.status, JSON.parse(stats.body).error.code]).toEqual([507, "STORAGE_UNWRITABLE"]);
  const body = { prefix: "  const total = ", suffix: "\n", path: "a.ts" };
  expect((await postJson(port, "/v1/autocomplete", body)).status).toBe(200);
  await server.stop();
}, 60_000);
