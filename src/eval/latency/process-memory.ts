/** Memory of a model server on this machine, read from `/proc`: Linux only, `null` elsewhere. */
import { readdir, readFile, readlink } from "node:fs/promises";

/** Resident bytes of a process; `null` when it cannot be read. */
export async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}

/**
 * The process that listens on a local port; `null` when there is none, when it belongs to somebody
 * else, or where there is no `/proc`.
 */
export async function processListeningOn(port: number): Promise<number | null> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((table) => readFile(table, "utf8").catch(() => "")),
  );
  const inode = listeningInode(tables.join("\n"), port);
  if (inode === null) return null;
  const wanted = `socket:[${inode}]`;
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const folder = `/proc/${name}/fd`;
    for (const descriptor of await readdir(folder).catch(() => [])) {
      const target = await readlink(`${folder}/${descriptor}`).catch(() => "");
      if (target === wanted) return Number(name);
    }
  }
  return null;
}

/** State 0A is LISTEN; the local address is `ADDRESS:PORT` in hexadecimal. */
function listeningInode(table: string, port: number): string | null {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  for (const line of table.split("\n")) {
    const fields = line.trim().split(/\s+/);
    if (fields[3] === "0A" && fields[1]?.endsWith(`:${wanted}`) === true) return fields[9] ?? null;
  }
  return null;
}
