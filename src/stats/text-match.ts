/** How close a proposed text is to the text that a person wrote. */

/** True when both are the same but for blanks and line ends at the end. */
export function isExactMatch(candidate: string, target: string): boolean {
  return candidate.trimEnd() === target.trimEnd();
}

/**
 * `1 - distance / length of the longer`, with the Levenshtein distance in UTF-16 units, trailing
 * blanks aside: 1 for equal texts, two empty ones too; 0 when nothing agrees.
 */
export function editSimilarity(candidate: string, target: string): number {
  const left = candidate.trimEnd();
  const right = target.trimEnd();
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 1 : 1 - editDistance(left, right) / longer;
}

/** Levenshtein distance in UTF-16 units. O(a × b) time, O(b) memory. */
export function editDistance(a: string, b: string): number {
  const row = new Uint32Array(b.length + 1);
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    let diagonal = i - 1;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] as number;
      const substituted = diagonal + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      row[j] = Math.min(substituted, above + 1, (row[j - 1] as number) + 1);
      diagonal = above;
    }
  }
  return row[b.length] as number;
}
