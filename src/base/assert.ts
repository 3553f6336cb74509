/** We are wrong: a broken invariant. Caught only at the request barrier. */
export class BugError extends Error {
  override readonly name = "BugError";
}

/** Throws `BugError` when an invariant does not hold. The message names the invariant. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BugError(message);
}

/** Ends a `switch` over a union; the compiler refuses it while a member is not handled. */
export function assertNever(value: never): never {
  throw new BugError(`unhandled value ${JSON.stringify(value)}`);
}

/** Returns the value, or throws `BugError` when it is absent although it must be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new BugError(`${what} is missing`);
  return value;
}
