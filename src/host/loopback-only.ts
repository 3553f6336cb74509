/** What `--offline` lets through: nothing that leaves this machine. */
import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isLoopbackHost } from "../base/loopback.ts";
import { CompletionError } from "../core/index.ts";

/** Throws `BACKEND_UNREACHABLE` for a host beyond loopback. Asks no name server. */
export function refuseBeyondLoopback(url: string): void {
  const { hostname, host } = new URL(url);
  if (!isLoopbackHost(hostname)) throw offlineError(host);
}

/** `localhost` may be set to any address on a machine, so what it resolves to is looked at too. */
export const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const outside = addresses.find(({ address }) => !isLoopbackHost(address));
    if (outside !== undefined) {
      return callback(offlineError(`${hostname} (${outside.address})`), []);
    }
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    return callback(null, first?.address ?? "", first?.family);
  });
};

function offlineError(host: string): CompletionError {
  return new CompletionError(
    "BACKEND_UNREACHABLE",
    `${host} is not on this machine and --offline refuses it; use a server on 127.0.0.1 or go online`,
  );
}
