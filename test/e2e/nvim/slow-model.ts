import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A model server that knows a few texts and takes its time. */
export interface SlowModel {
  readonly url: string;
  /** Requests so far. */
  readonly count: () => number;
  readonly stop: () => Promise<void>;
}

/** Completes a line that begins one of the texts, the first one; to everything else it says nothing. */
export async function startSlowModel(
  texts: readonly string[],
  delayMs: number,
): Promise<SlowModel> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.method !== "POST") {
      response.end(JSON.stringify({ object: "list", data: [{ id: "qwen2.5-coder-1.5b" }] }));
      return;
    }
    count++;
    const { prompt } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    // What was typed since the prompt's beginning was laid down stands behind the last sentinel.
    const [prefix = "", rest = ""] = String(prompt).split("<|fim_suffix|>");
    const before = prefix + (rest.split("<|fim_middle|>")[1] ?? "");
    const typed = before.slice(before.lastIndexOf("\n") + 1);
    const text = texts.find((one) => one.startsWith(typed))?.slice(typed.length) ?? "";
    await wait(delayMs);
    response.setHeader("content-type", "text/event-stream");
    const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    response.write(event({ choices: [{ index: 0, text, finish_reason: null }] }));
    response.write(event({ choices: [{ index: 0, text: "", finish_reason: "stop" }] }));
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
