/** Memory of a process and of all that it started, from Linux' `/proc`. */
import { readdir, readFile } from "node:fs/promises";

/** Linux counts pages; they have this size on the machines that we know. */
const PAGE_BYTES = 4096;

/**
 * Private resident bytes of a process and its descendants, of other namespaces too; 0 when it is gone
 * or where there is no `/proc`.
 */
export async function treeBytes(pid: number): Promise<number> {
  let total = 0;
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    total += await privateBytes(next);
    waiting.push(...(await childrenOf(next)));
  }
  return total;
}

async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  const [, resident = 0, shared = 0] = text.split(" ").map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""),
    ),
  );
  return lists.flatMap((list) => list.trim().split(" ").filter(Boolean).map(Number));
}
