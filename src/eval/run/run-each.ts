/**
 * Does the same to each item, several at once, in order of the list. Rejects with the first failure
 * or the signal's reason as soon as what is under way has ended; then nothing new is begun.
 */
export async function runEach<Item>(
  items: readonly Item[],
  options: { readonly parallel: number; readonly signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const { parallel, signal } = options;
  const failures: unknown[] = [];
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0 || signal.aborted) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, worker));
  if (failures.length > 0) throw failures[0];
  signal.throwIfAborted();
}
