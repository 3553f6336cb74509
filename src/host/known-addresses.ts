/** Which addresses beyond this machine a person has been told about, so that each is said once. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "./atomic-write.ts";

/** More are forgotten, the oldest first: then one is said again. */
const MAX_ADDRESSES = 200;

/**
 * True when nobody was told about the address yet; from then on it counts as told. A folder that
 * cannot be read or written makes every start the first: saying it twice is better than not at all.
 */
export async function isNewAddress(dataFolder: string, address: string): Promise<boolean> {
  const file = join(dataFolder, "told-addresses.txt");
  const text = await readFile(file, "utf8").catch(() => "");
  const told = text.split("\n").filter((line) => line !== "");
  if (told.includes(address)) return false;
  const lines = [...told, address].slice(-MAX_ADDRESSES);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomically(file, [Buffer.from(`${lines.join("\n")}\n`)]);
  } catch {
    // Told again next time.
  }
  return true;
}
