/** How editors reach the server: by its stdin and stdout, or by a port of this machine. */
import { createServer, type Socket } from "node:net";
import { StreamMessageWriter } from "vscode-languageserver/node";
import { CompletionError } from "../core/index.ts";
import { BoundedReader } from "./bounded-reader.ts";
import type { Transport } from "./language-server.ts";

/**
 * Serves the client at the streams of this process until it leaves or `signal` aborts. Nothing else
 * may write to stdout.
 */
export async function serveStdio<End>(
  serve: (transport: Transport) => Promise<End>,
  { signal }: { readonly signal: AbortSignal },
): Promise<End> {
  const { stdin, stdout } = process;
  const leave = (): void => void stdin.destroy();
  signal.addEventListener("abort", leave, { once: true });
  // A file at stdin ends without closing, and the reader waits for the close.
  stdin.once("end", () => stdin.destroy());
  try {
    return await serve({
      reader: new BoundedReader(stdin),
      writer: new StreamMessageWriter(stdout),
    });
  } finally {
    signal.removeEventListener("abort", leave);
    // It would keep the process alive when the client leaves its end open.
    stdin.destroy();
  }
}

/**
 * Serves every client that connects to a port of 127.0.0.1 until `signal` aborts. Rejects with
 * `PORT_TAKEN`.
 */
export async function listenForClients(
  place: { readonly port: number; readonly onListening: (port: number) => void },
  options: {
    readonly serve: (transport: Transport) => Promise<unknown>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { serve, signal } = options;
  const sockets = new Map<Socket, Promise<unknown>>();
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    // A client that is gone is noticed by its reader.
    socket.on("error", () => {});
    const transport = {
      reader: new BoundedReader(socket),
      writer: new StreamMessageWriter(socket),
    };
    const served = serve(transport).finally(() => {
      sockets.delete(socket);
      socket.destroy();
    });
    sockets.set(socket, served);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const code = "code" in cause ? String(cause.code) : cause.message;
      const isTaken = code === "EADDRINUSE";
      const why = isTaken ? "is in use" : `cannot be listened on (${code})`;
      const next = isTaken ? "choose another" : "choose one from 1024 on";
      const message = `port ${place.port} of 127.0.0.1 ${why}; ${next} with --socket`;
      reject(new CompletionError(isTaken ? "PORT_TAKEN" : "CONFIG_INVALID", message, { cause }));
    });
    server.listen(place.port, "127.0.0.1", resolve);
  });
  const address = server.address();
  place.onListening(typeof address === "object" && address !== null ? address.port : place.port);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  for (const socket of sockets.keys()) socket.destroy();
  await Promise.all(sockets.values());
  await new Promise((resolve) => server.close(resolve));
}
