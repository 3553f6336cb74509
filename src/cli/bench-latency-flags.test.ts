import { expect, it } from "vitest";
import { targetsOfSettings } from "./bench-latency-flags.ts";
import { UsageError } from "./exit.ts";

it("The backend that every command takes is one more target of a bench of models.", () => {
  const backend = "llama.cpp:http://127.0.0.1:8080";
  expect([
    targetsOfSettings("latency", {}),
    targetsOfSettings("latency", { backend }),
    targetsOfSettings("capacity", { backend, model: "m", format: "starcoder2" }),
  ]).toEqual([[], [backend], [`${backend},model=m,format=starcoder2`]]);
});

it.each([
  ["local", { backend: "none" }, /no backend; bench latency/],
  ["latency", { threshold: "0.5" }, /no threshold; it takes --backend/],
  ["latency", { model: "m" }, /go with --backend/],
] as const)("bench %s refuses %o rather than ignore it.", (what, flags, message) => {
  expect(() => targetsOfSettings(what, flags)).toThrow(UsageError);
  expect(() => targetsOfSettings(what, flags)).toThrow(message);
});
