import { expect, test } from "vitest";
import { isLoopbackHost } from "./loopback.ts";

test.each([
  ["localhost", true],
  ["LOCALHOST", true],
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  [new URL("http://[::ffff:127.0.0.1]/").hostname, true],
  [new URL("http://2130706433/").hostname, true],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
  ["::", false],
  ["", false],
])("%s stays on this machine: %s", (host, stays) => {
  expect(isLoopbackHost(host)).toBe(stays);
});
