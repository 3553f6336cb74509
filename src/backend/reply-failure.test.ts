import { expect, test } from "vitest";
import { statusFailure } from "./reply-failure.ts";

test.each([
  ["7", 429, 7_000],
  ["7", 503, 7_000],
  ["7", 500, null],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 429, null],
  ["99999999999", 429, null],
  ["-1", 429, null],
])("Retry-After %j with status %d asks for %j ms.", (wish, status, retryAfterMs) => {
  const call = { address: "a:", path: "/p", model: null, apiKey: null, prompt: "" };
  const headers = { "retry-after": wish };
  expect(statusFailure(call, { status, body: "", headers }).retryAfterMs).toBe(retryAfterMs);
});
