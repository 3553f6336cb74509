import type { FastifyInstance } from "fastify";
import { CompletionError } from "../core/index.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** True moves on to the next port while one is in use. */
  readonly tryNext: boolean;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** True when it is not the port that was asked for. */
  readonly hasMoved: boolean;
}

/** How many ports after the first are tried. */
const portsToTry = 20;

/** Binds the first free port from `options.port` on. PORT_TAKEN or CONFIG_INVALID when it cannot. */
export async function listenOnFreePort(
  app: FastifyInstance,
  options: ListenOptions,
): Promise<Listening> {
  const { host, port } = options;
  const lastPort = options.tryNext && port !== 0 ? Math.min(port + portsToTry, 65_535) : port;
  for (let candidate = port; candidate <= lastPort; candidate++) {
    if (await hasBound(app, host, candidate)) {
      const address = app.server.address();
      const bound = typeof address === "object" && address !== null ? address.port : candidate;
      return { host, port: bound, hasMoved: port !== 0 && bound !== port };
    }
  }
  const ports = lastPort === port ? `port ${port} is` : `ports ${port} to ${lastPort} are`;
  throw new CompletionError("PORT_TAKEN", `${ports} in use`);
}

async function hasBound(app: FastifyInstance, host: string, port: number): Promise<boolean> {
  try {
    await app.listen({ host, port });
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") return false;
    const message = `cannot listen on ${host} port ${port}: ${listenFault(code)}`;
    throw new CompletionError("CONFIG_INVALID", message, { cause: error });
  }
}

/** Why an address cannot be bound, and what to do. `code` is that of the system. */
export function listenFault(code: unknown): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `the system does not allow it (${code}); choose a port from 1024 on with --port`;
    case "EADDRNOTAVAIL":
      return `this machine does not have that address (${code}); choose one of its own, such as 127.0.0.1, with --host`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `no machine of that name is known (${code}); choose an address such as 127.0.0.1 with --host`;
    case "EAFNOSUPPORT":
      return `this machine does not speak that kind of address (${code}); choose one such as 127.0.0.1 with --host`;
    default:
      return `${String(code)}; choose another address with --host or another port with --port`;
  }
}
