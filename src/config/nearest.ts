/**
 * The word of `known` that `word` was most likely meant to be; `null` when none is close. Close means
 * at most a third of the letters wrong, or the same last part of a dotted key (`port` for
 * `server.port`). Edit distance by Levenshtein; lists are short and this runs on errors only.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase();
  const sameLastPart = known.filter((other) => lastPart(other) === lastPart(lower));
  let best: string | null = sameLastPart.length === 1 ? (sameLastPart[0] ?? null) : null;
  let bestDistance = best === null ? Number.POSITIVE_INFINITY : 1;
  for (const other of known) {
    const distance = editDistance(lower, other.toLowerCase());
    const isClose = distance * 3 <= Math.max(word.length, other.length);
    const isNamespace = other.startsWith(`${word}.`) || word.startsWith(`${other}.`);
    const rank = isNamespace ? Math.min(distance, 1) : distance;
    if ((isClose || isNamespace) && rank < bestDistance) {
      best = other;
      bestDistance = rank;
    }
  }
  return best;
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1).toLowerCase();
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, at(previous, j) + 1, at(current, j - 1) + 1));
    }
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
