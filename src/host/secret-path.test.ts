import { expect, it } from "vitest";
import { secretPathTest } from "./secret-path.ts";

it("knows secrets by name wherever they lie and takes any text for a path", () => {
  const isSecret = secretPathTest(["private/"]);
  const secret = [
    ".env",
    "a/.env.local",
    "/Users/me/.ssh/id_rsa",
    "C:\\x\\.npmrc",
    "../private/a.ts",
  ];
  const plain = ["", "/", "..", "src/a.ts", "src/environment.ts", "config.json", "a\0b", "./.."];
  expect([secret.map(isSecret), plain.map(isSecret)]).toEqual([
    secret.map(() => true),
    plain.map(() => false),
  ]);
});
