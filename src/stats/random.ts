/**
 * Seeded random numbers for sampling and resampling: the same seed gives the same run on every
 * machine. Generator: sfc32 by Chris Doty-Humphrey (128 bits of state, passes PractRand), its state
 * filled from the seed by splitmix32. Not for secrets.
 */
export interface Random {
  /** A number in `[0, 1)`. */
  next(): number;
  /** An integer in `[0, limit)`; `RangeError` unless `limit` ≥ 1. */
  below(limit: number): number;
  /** One of the items; `RangeError` when there is none. */
  pick<T>(items: readonly T[]): T;
  /** The items in a new order (Fisher–Yates); the argument stays as it is. */
  shuffled<T>(items: readonly T[]): T[];
}

/** A generator for the seed; any finite number is a seed, its integer part counts. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const fill = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  let a = fill();
  let b = fill();
  let c = fill();
  let counter = 1;

  const next = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return (result >>> 0) / 4294967296;
  };
  // The first outputs still show the seed.
  for (let i = 0; i < 12; i++) next();

  const below = (limit: number): number => {
    if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, got ${limit}`);
    return Math.floor(next() * limit);
  };
  return {
    next,
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    shuffled: <T>(items: readonly T[]): T[] => {
      const order = [...items];
      for (let i = order.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const moved = order[i] as T;
        order[i] = order[j] as T;
        order[j] = moved;
      }
      return order;
    },
  };
}
