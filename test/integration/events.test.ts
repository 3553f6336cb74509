/** What a client was told is kept survives the death of the server, as the built program keeps it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { postJson } from "../../src/testing/http-call.ts";
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
