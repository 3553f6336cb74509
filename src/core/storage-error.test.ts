import { expect, test } from "vitest";
import { storageError } from "./storage-error.ts";

function failure(code: string): Error {
  return Object.assign(new Error("raw words"), { code });
}

test.each([
  ["ENOSPC", "STORAGE_FULL", "no space is left (ENOSPC); make room there, or"],
  ["EDQUOT", "STORAGE_FULL", "the quota is used up (EDQUOT); make room there, or"],
  ["EACCES", "STORAGE_UNWRITABLE", "there is no permission (EACCES); make it writable, or"],
  ["EPERM", "STORAGE_UNWRITABLE", "there is no permission (EPERM); make it writable, or"],
  ["EROFS", "STORAGE_UNWRITABLE", "the file system is read-only (EROFS); make it writable, or"],
  ["ENOTDIR", "STORAGE_UNWRITABLE", "a file is in the way of a folder (ENOTDIR); move it away, or"],
  ["ELOOP", "STORAGE_UNWRITABLE", "links lead in a circle (ELOOP); move it away, or"],
])("%s is %s, with its cause and what to do.", (code, expected, says) => {
  expect(storageError("/a/b", failure(code))).toMatchObject({
    code: expected,
    message: `cannot write /a/b: ${says} choose another place`,
  });
});

test("What is no failure of the file system stays what it is.", () => {
  for (const cause of [failure("EWHATEVER"), new Error("x"), "x", null]) {
    expect(storageError("/a/b", cause)).toBe(cause);
  }
});
