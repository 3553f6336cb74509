/** A file from which the local model learns `computeTotal(items);`, for language servers and editors. */
export const library = `export function computeTotal(items: readonly number[]): number {
  let total = 0;
  for (const item of items) {
    total += item;
  }
  return total;
}

export function computeAverage(items: readonly number[]): number {
  const total = computeTotal(items);
  return total / items.length;
}
`;
