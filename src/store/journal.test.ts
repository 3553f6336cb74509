import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompletionError, TelemetryEvent } from "../core/index.ts";
import { tempFolder, writeFiles } from "../testing/temp-folder.ts";
import { decodeEvent } from "./decode-event.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { clearJournal } from "./journal-files.ts";
import { readJournal } from "./read-journal.ts";

const noon = Date.UTC(2026, 10, 30, 12);
const DAY_MS = 86_400_000;

function event(id: string, ts = noon): TelemetryEvent {
  return {
    v: 1,
    id,
    ts,
    type: "rejected",
    install: "i",
    session: "s",
    request: id,
    doc: "",
    lang: "typescript",
    client: "test",
    visibleMs: 5,
  };
}

function journalIn(folder: string, changes: Partial<JournalOptions> = {}): Journal {
  return new Journal({
    folder,
    session: "a1",
    days: 90,
    maxBytes: 1_000_000,
    wallNow: () => noon,
    onFailure: () => {},
    ...changes,
  });
}

async function idsIn(folder: string, sinceMs = 0): Promise<readonly string[]> {
  return (await readJournal(folder, { sinceMs })).map(({ id }) => id);
}

describe("a journal", () => {
  test("goes on in a new file when its folder was removed under it", async () => {
    const folder = join(tempFolder(), "events");
    const journal = journalIn(folder);
    journal.record(event("a"));
    await journal.flush();
    rmSync(folder, { recursive: true });
    journal.record(event("b"));
    await journal.flush();
    expect(await idsIn(folder)).toEqual(["b"]);
    await journal.close();
  });

  test("keeps what it was told before it was flushed, for its owner alone", async () => {
    const folder = join(tempFolder(), "events");
    const journal = journalIn(folder);
    for (const id of ["a", "b", "c"]) journal.record(event(id));
    await journal.flush();
    expect(await idsIn(folder)).toEqual(["a", "b", "c"]);
    const [name = ""] = readdirSync(folder);
    expect(name).toBe("2026-11-30.a1.jsonl");
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    await journal.close();
    journal.record(event("late"));
    await journal.flush();
    expect(await idsIn(folder)).toEqual(["a", "b", "c"]);
  });

  test("is read in the order of time while several processes write, each event once", async () => {
    const folder = tempFolder();
    const journals = ["a1", "b2"].map((session) => journalIn(folder, { session }));
    for (const [i, journal] of journals.entries()) {
      journal.record(event(`late ${i}`, noon + 10 + i));
      journal.record(event("told twice", noon));
      await journal.flush();
    }
    expect(await idsIn(folder)).toEqual(["told twice", "late 0", "late 1"]);
    expect(await idsIn(folder, noon + 11)).toEqual(["late 1"]);
    for (const journal of journals) await journal.close();
  });

  test("drops a torn last line and lines that are no events", async () => {
    const folder = tempFolder();
    const journal = journalIn(folder);
    journal.record(event("whole"));
    await journal.close();
    const file = join(folder, "2026-11-30.a1.jsonl");
    const strange = { ...event("strange"), visibleMs: "5" };
    appendFileSync(file, `null\n{"v":2}\n${JSON.stringify(strange)}\n`);
    appendFileSync(file, JSON.stringify(event("torn")));
    expect(await idsIn(folder)).toEqual(["whole"]);
  });

  test("leaves alone what bears the name of a file and is none", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "2026-11-30.folder.jsonl"));
    execFileSync("mkfifo", [join(folder, "2026-11-30.pipe.jsonl")]);
    const journal = journalIn(folder, { maxBytes: 1 });
    journal.record(event("whole"));
    await journal.close();
    expect(await idsIn(folder)).toEqual(["whole"]);
    expect(await clearJournal(folder)).toBe(1);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test("begins a new file each day, and forgets old days and what is too much", async () => {
    const folder = tempFolder();
    const line = `${JSON.stringify(event("x".repeat(500)))}\n`;
    writeFiles(folder, {
      "2026-08-01.old.jsonl": line,
      "2026-11-20.big.jsonl": line.repeat(20),
      "2026-11-29.new.jsonl": line,
      "installation.json": "{}",
    });
    let now = noon;
    const journal = journalIn(folder, { maxBytes: 5_000, wallNow: () => now });
    journal.record(event("today"));
    await journal.flush();
    now += DAY_MS;
    journal.record(event("tomorrow", now));
    await journal.close();
    expect(readdirSync(folder).sort()).toEqual([
      "2026-11-29.new.jsonl",
      "2026-11-30.a1.jsonl",
      "2026-12-01.a1.jsonl",
      "installation.json",
    ]);
    expect(await clearJournal(folder)).toBe(3);
    expect(readdirSync(folder)).toEqual(["installation.json"]);
  });

  test("says once that it cannot write, keeps the events, and writes them when it can", async () => {
    const folder = join(tempFolder({ events: "a file in the way" }), "events");
    const failures: CompletionError[] = [];
    const journal = journalIn(folder, { onFailure: (error) => void failures.push(error) });
    journal.record(event("a"));
    await expect(journal.flush()).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
    await expect(journal.flush()).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
    expect(failures).toHaveLength(1);
    expect(journal.failure).toMatchObject({ code: "STORAGE_UNWRITABLE" });
    rmSync(folder);
    journal.record(event("b"));
    await journal.close();
    expect(journal.failure).toBe(null);
    expect(await idsIn(folder)).toEqual(["a", "b"]);
  });

  test("reads back every event that it was given, whatever its words", async () => {
    await fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (request, lang, visibleMs) => {
        const one = { ...event("a"), request, lang, visibleMs };
        expect(decodeEvent(JSON.stringify(one))).toEqual(one);
      }),
    );
  });
});

test("A process that is killed loses no event that it said was kept.", async () => {
  const folder = tempFolder();
  const program = join(folder, "writer.mjs");
  await build({
    stdin: {
      contents: `
        import { Journal } from "./journal.ts";
        const [folder] = process.argv.slice(2);
        const journal = new Journal({
          folder, session: "k" + process.pid, days: 90, maxBytes: 1e9,
          wallNow: () => Date.now(), onFailure: (error) => { throw error; },
        });
        for (let i = 0; ; i++) {
          journal.record({ ...${JSON.stringify(event(""))}, id: "e" + i, request: "e" + i });
          if (i % 20 !== 19) continue;
          await journal.flush();
          process.stdout.write(i + "\\n");
        }`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
      loader: "ts",
    },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  for (const lines of [1, 3, 10, 30]) {
    const events = join(folder, `events-${lines}`);
    const said = await killedAfter(program, events, lines);
    const kept = new Set(await idsIn(events));
    const missing = Array.from({ length: said + 1 }, (_, i) => `e${i}`).filter(
      (id) => !kept.has(id),
    );
    expect(missing).toEqual([]);
    const [name = ""] = readdirSync(events);
    expect(readFileSync(join(events, name), "utf8").length).toBeGreaterThan(0);
  }
}, 60_000);

/** Kills the writer once it has said so many lines; the number of the last event that it called kept. */
function killedAfter(program: string, folder: string, lines: number): Promise<number> {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.split("\n").length > lines) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      // A last line without its end was not said to its end.
      const whole = said.slice(0, said.lastIndexOf("\n")).split("\n");
      resolve(Number(whole.at(-1)));
    });
  });
}
