import { expect, test } from "vitest";
import { assert, assertNever, BugError, present } from "./assert.ts";

test("a broken invariant is a bug of ours and names itself", () => {
  expect(() => assert(true, "holds")).not.toThrow();
  expect(() => assert(false, "blocks end with a line end")).toThrow(
    new BugError("blocks end with a line end"),
  );
  expect(() => assertNever({ kind: "new" } as never)).toThrow(
    new BugError('unhandled value {"kind":"new"}'),
  );
});

test("what must be there is returned, or its name is thrown", () => {
  expect([present(0, "n"), present("", "s"), present(false, "b")]).toEqual([0, "", false]);
  expect(() => present(null, "cursor")).toThrow(new BugError("cursor is missing"));
  expect(() => present(undefined, "cursor")).toThrow(BugError);
});
