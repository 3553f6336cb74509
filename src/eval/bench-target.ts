/**
 * A server under test runs in a process of its own, so that the CPU time of whoever sends the
 * requests is not counted. The two sides talk over the child's standard input and output: the child
 * prints its address, answers each `cpu` line with its CPU time, and ends when its input closes.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { present } from "../base/assert.ts";
import { cpuMs } from "./machine.ts";

/** A server that listens; what `listen` functions resolve to. */
export interface ListeningServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The child's side: resolves when the parent has closed the input and the server is down. */
export async function serveTarget(listen: () => Promise<ListeningServer>): Promise<void> {
  const server = await listen();
  process.stdout.write(`${server.url}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "cpu") process.stdout.write(`${cpuMs()}\n`);
  }
  await server.close();
}

/** The parent's side. */
export interface BenchTarget {
  readonly url: string;
  /** CPU milliseconds of the child since its start. */
  cpuMs(): Promise<number>;
  /** Ends the child; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Starts this program with `args`, which must lead to `serveTarget`. */
export async function startTarget(args: readonly string[]): Promise<BenchTarget> {
  const program = present(process.argv[1], "the path of the program");
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`midspan ${args.join(" ")} ended early`);
    return value;
  };
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    url: await nextLine(),
    cpuMs: async () => {
      child.stdin.write("cpu\n");
      return Number(await nextLine());
    },
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
}

/** The least that a server can do: reads the body, answers a constant of the usual size. */
export async function listenBare(): Promise<ListeningServer> {
  const reply = JSON.stringify({ id: "0", completion: "x".repeat(40), filler: "x".repeat(400) });
  const server = createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
