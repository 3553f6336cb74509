/**
 * The least that a process in front of a model server can do: it hands the bytes of each request and
 * of its answer on as they come. What it adds, any process in between adds on this machine.
 */
import { createServer, request } from "node:http";
import type { ListeningServer } from "./bench-target.ts";

/** Listens in front of the server at `url`. */
export async function listenRelay(url: string): Promise<ListeningServer> {
  const relay = createServer((incoming, response) => {
    const { method, headers } = incoming;
    // The model server ends the connection of each streamed answer.
    const options = { method, headers: { ...headers, connection: "close" }, agent: false } as const;
    const outgoing = request(`${url}${incoming.url}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { "content-type": "text/event-stream" });
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const address = relay.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        relay.close(() => resolve());
        relay.closeAllConnections();
      }),
  };
}
