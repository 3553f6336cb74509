import { statfs } from "node:fs/promises";

/** Bytes that we may still write on the disk of an existing folder. */
export async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
