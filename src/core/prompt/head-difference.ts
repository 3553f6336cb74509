/**
 * How much the beginnings of two texts differ: edit distance over their first words and marks as a
 * share of the longer beginning, 0 for equal and 1 for unlike. Levenshtein in O(maxTokens²), some
 * microseconds for 50.
 */
export function headDifference(a: string, b: string, maxTokens: number): number {
  const left = firstTokens(a, maxTokens);
  const right = firstTokens(b, maxTokens);
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 0;
  let row = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 0; i < left.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j++) {
      const replaced = (row[j] as number) + (left[i] === right[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return (row[right.length] as number) / longer;
}

/** Runs of letters and digits, runs of blanks, and single marks: near enough to a model's tokens. */
function firstTokens(text: string, maxTokens: number): readonly string[] {
  const pattern = /[\p{L}\p{N}_]{1,64}|\s{1,64}|[^\p{L}\p{N}_\s]/gu;
  const tokens: string[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    tokens.push(match[0]);
    if (tokens.length === maxTokens) break;
  }
  return tokens;
}
