import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { ListeningServer } from "./bench-target.ts";
import { listenRelay } from "./relay-target.ts";

test("A request goes on as it came, and the answer comes back piece by piece.", async () => {
  const target = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    incoming.on("end", () => {
      response.write(`${incoming.method} ${incoming.url}`);
      // The second piece waits until the first has arrived.
      pieces.push(() => response.end(` ${body}`));
    });
  });
  const pieces: (() => void)[] = [];
  const seen: string[] = [];
  await through(target, async (relay) => {
    await new Promise<void>((resolve) => {
      const asked = request(`${relay.url}/completion?a=1`, { method: "POST" }, (answer) => {
        answer.setEncoding("utf8").on("data", (text: string) => {
          seen.push(text);
          pieces.shift()?.();
        });
        answer.on("end", () => resolve());
      });
      asked.end("{}");
    });
  });
  expect(seen).toEqual(["POST /completion?a=1", " {}"]);
});

test("A server that hangs up ends the caller's request, too.", async () => {
  const target = createServer((incoming) => incoming.socket.destroy());
  await through(target, async (relay) => {
    const failure = await new Promise<Error>((resolve) => {
      request(`${relay.url}/`, { method: "POST" }).on("error", resolve).end("{}");
    });
    expect(failure).toBeInstanceOf(Error);
  });
});

async function through(
  target: ReturnType<typeof createServer>,
  work: (relay: ListeningServer) => Promise<void>,
): Promise<void> {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const relay = await listenRelay(`http://127.0.0.1:${address(target).port}`);
  try {
    await work(relay);
  } finally {
    await relay.close();
    await new Promise((resolve) => target.close(resolve));
  }
}

function address(server: ReturnType<typeof createServer>): AddressInfo {
  return server.address() as AddressInfo;
}
