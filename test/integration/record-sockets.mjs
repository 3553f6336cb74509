// Preloaded into every process and thread of a session (`node --import`): writes down where each
// socket wants to go, and lets none of them leave this machine.

import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const file = process.env.MIDSPAN_TEST_SOCKETS;
const isHere = (host) => /^(localhost|127\.|::1$|\[::1\]$|::ffff:127\.|unix:)/.test(host);
const record = (kind, host) => {
  if (file !== undefined) appendFileSync(file, `${kind} ${host}\n`);
};

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  // Arguments come as they were given, or already in order, as a list with the options first.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof first === "object" && first !== null ? first : null;
  const path = options === null ? (typeof first === "string" ? first : null) : options.path;
  const named = options === null ? (typeof second === "string" ? second : null) : options.host;
  const host = path ? `unix:${path}` : (named ?? "localhost");
  record("tcp", host);
  if (isHere(host)) return connect.apply(this, args);
  const error = Object.assign(new Error("refused by the test"), { code: "ECONNREFUSED" });
  process.nextTick(() => this.destroy(error));
  return this;
};

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (...args) {
  const host = args.find((argument) => typeof argument === "string" && argument.includes("."));
  record("udp", host ?? "localhost");
  if (host === undefined || isHere(host)) return send.apply(this, args);
  return undefined;
};

// A name server is on another machine, too: only what is in the hosts file may be looked up.
for (const name of ["resolve", "resolve4", "resolve6", "resolveAny"]) {
  const original = dns[name];
  dns[name] = (host, ...rest) => {
    record("dns", host);
    return original.call(dns, host, ...rest);
  };
}
const lookup = dns.lookup;
dns.lookup = (host, ...rest) => {
  record("lookup", host);
  if (isHere(host) || net.isIP(host)) return lookup.call(dns, host, ...rest);
  const callback = rest.at(-1);
  const error = Object.assign(new Error("refused by the test"), { code: "ENOTFOUND" });
  process.nextTick(() => callback(error, [], 4));
  return {};
};
syncBuiltinESMExports();
