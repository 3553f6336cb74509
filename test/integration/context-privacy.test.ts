/** What leaves the machine, seen from the other side: a model server that keeps every request. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedServer, type WireScript } from "../../src/testing/scripted-server.ts";
import { cleanEnvironment, program, runToEnd, startServer, temporaryFolder } from "./product.ts";

const folder = temporaryFolder("privacy");
const home = join(folder.path, "home");
const workspace = join(folder.path, "workspace");
const env = cleanEnvironment(home);

/** Nothing with this in it may ever leave. */
const CANARY = "canary7f3";
/** A key in a file that may be shown: the file may leave, the key may not. */
const KEY = `ghp_${"Zx9Cv8Bn7Mq6Wt5Er4Ty3Ui2Op1"}AsDfGh`;

const source = (name: string): string =>
  `export function ${name}(host: string): void {\n  open("${CANARY}", host);\n}\n`;

const files: Readonly<Record<string, string>> = {
  ".gitignore": "private/\n*.local.ts\n",
  ".midspanignore": "drafts/\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  "private/store.ts": source("connectStore"),
  "store.local.ts": source("connectStore"),
  "drafts/store.ts": source("connectStore"),
  ".env": `STORE_KEY=${CANARY}\n`,
  "secrets/credentials.json": `{ "connectStore": "${CANARY}" }\n`,
  "node_modules/store/index.d.ts": `/** ${CANARY} */\n${source("connectStore")}`,
  "node_modules/store/package.json": '{ "name": "store", "types": "index.d.ts" }',
  "package.json": '{ "dependencies": { "store": "1" } }',
  "src/store.ts": `const key = "${KEY}";\nexport function connectStore(host: string, port: number): Store {\n  return open(host, port, key);\n}\n`,
  "src/main.ts": `import { connectStore } from "./store.ts";\nconst token = "${KEY}";\n\nconst store = connectStore(\n`,
};

const script: WireScript = (request) =>
  request.path.endsWith("/models")
    ? {
        headers: { "content-type": "application/json" },
        steps: [{ kind: "write", bytes: '{"data":[{"id":"qwen2.5-coder-1.5b"}]}' }],
      }
    : {
        headers: { "content-type": "text/event-stream" },
        steps: [
          {
            kind: "write",
            bytes: 'data: {"choices":[{"text":"host","finish_reason":"stop"}]}\n\n',
          },
          { kind: "write", bytes: "data: [DONE]\n\n" },
        ],
      };
let server: ScriptedServer;
let backend = "";

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  server = await ScriptedServer.start(script);
  backend = `openai:${server.url}`;
});

afterAll(async () => {
  await server.close();
  folder.dispose();
});

const sent = (): string => server.requests.map(({ body }) => body).join("\n");

describe("outgoing requests", () => {
  it("hold definitions of other files, and nothing of files that a rule keeps out", async () => {
    const { code, stderr } = await runToEnd(
      process.execPath,
      [
        ...[program, "complete", "--explain", "--local", "off", "--backend", backend],
        ...["--file", join(workspace, "src", "main.ts"), "--line", "4", "--column", "28"],
      ],
      { cwd: workspace, env },
    );
    expect(code).toBe(0);
    expect(stderr).toContain("src/store.ts (import,");
    expect(sent()).toContain("connectStore(host: string, port: number): Store");
    expect(sent()).not.toContain(CANARY);
    expect(sent()).not.toContain(KEY.slice(0, 12));
  });

  it("hold nothing of such files either when an editor sends them along", async () => {
    const serving = await startServer(
      process.execPath,
      [
        program,
        "serve",
        workspace,
        "--no-open",
        "--port",
        "0",
        "--local",
        "off",
        "--backend",
        backend,
      ],
      { cwd: workspace, env },
    );
    try {
      for (const [number, path] of Object.keys(files).entries()) {
        const text = `${files[path]}\nconst store = connectStore(a, b);\n`;
        const body = {
          ...{ prefix: `const a${number} = connectStore(`, suffix: ");\n", path: "src/other.ts" },
          ...{ trigger: "invoked", session: "s", version: number },
          context: [
            { path, text, kind: "open" },
            { path, text, kind: "edit" },
          ],
        };
        const reply = await fetch(`${serving.url}/v1/autocomplete`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        expect(reply.status).toBe(200);
      }
    } finally {
      await serving.stop();
    }
    expect(server.requests.length).toBeGreaterThan(Object.keys(files).length);
    expect(sent()).not.toContain(CANARY);
    expect(sent()).not.toContain(KEY.slice(0, 12));
  });
});
