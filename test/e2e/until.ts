import { setTimeout as wait } from "node:timers/promises";

/** Asks again until the answer is right; throws with the last one when it never was. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean,
  options: { readonly what: string; readonly withinMs?: number },
): Promise<T> {
  const { what, withinMs = 120_000 } = options;
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (performance.now() > deadline) {
      const last = JSON.stringify(answer)?.slice(0, 500);
      throw new Error(`${what}: still ${last} after ${withinMs} ms`);
    }
    await wait(20);
  }
}
