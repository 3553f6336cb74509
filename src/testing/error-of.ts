/** What `run` throws, for one comparison of all its fields; fails when it throws nothing. */
export function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
