/**
 * Results one per line, so that a long run can be stopped and continued: the first line is the stamp,
 * each further one a row. A line that was cut off by a crash is dropped; a row written again replaces
 * the older one.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Fields, objectFields } from "../../protocol/decode.ts";
import { EvaluationUnavailableError } from "./evaluation-unavailable.ts";
import { parseJsonLines, rowOf, textOfFile } from "./json-lines.ts";
import { type Stamp, stampDifferences } from "./stamp.ts";

/** One result. */
export interface ResultRow {
  /** Unique within the file; a row with the same id replaces the older one. */
  readonly id: string;
}

export interface ResultFileOptions<Row> {
  /** Makes a row of a line; throws `DecodeError` for one that is none, as `rowOf` does. */
  readonly read: (fields: Fields) => Row;
  /** What this run is measured with; an earlier run in the file must have the same, time aside. */
  readonly stamp: Stamp;
  /** Starts anew although there are results. */
  readonly restarts: boolean;
}

/** The results of one run, on disk and in memory. */
export class ResultFile<Row extends ResultRow> {
  readonly path: string;
  /** Of the run that began the file. */
  readonly stamp: Stamp;
  readonly #rows: Map<string, Row>;
  readonly #file: FileHandle;
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(
    path: string,
    file: FileHandle,
    content: { readonly stamp: Stamp; readonly rows: Map<string, Row> },
  ) {
    this.path = path;
    this.#file = file;
    this.stamp = content.stamp;
    this.#rows = content.rows;
  }

  /**
   * Opens the file, or makes it and its folder. Throws `EvaluationUnavailableError` when that cannot be
   * done, when it holds something else, or results that were measured with something else; the message names what.
   */
  static async open<Row extends ResultRow>(
    path: string,
    options: ResultFileOptions<Row>,
  ): Promise<ResultFile<Row>> {
    await mkdir(dirname(path), { recursive: true }).catch((error) => refuse(path, error));
    const text = options.restarts ? "" : ((await textOfFile(path)) ?? "");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole === "") {
      const file = await open(path, "w").catch((error) => refuse(path, error));
      await file.write(`${JSON.stringify({ stamp: options.stamp })}\n`);
      return new ResultFile<Row>(path, file, { stamp: options.stamp, rows: new Map() });
    }
    const content = parse(path, whole, options.read);
    const different = stampDifferences(content.stamp, options.stamp);
    if (different.length > 0) {
      throw new EvaluationUnavailableError(
        `${path} holds results with another ${different.join(", ")}; name another file, or start anew with --restart`,
      );
    }
    const file = await open(path, "r+").catch((error) => refuse(path, error));
    await file.truncate(Buffer.byteLength(whole));
    await file.close();
    return new ResultFile<Row>(path, await open(path, "a"), content);
  }

  /** The rows so far, in the order in which their ids were first written. */
  get rows(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  /** Adds a row, on disk when it resolves. Rows of callers that do not wait come out whole too. */
  append(row: Row): Promise<void> {
    this.#rows.set(row.id, row);
    const write = this.#lastWrite.then(async () => {
      await this.#file.write(`${JSON.stringify(row)}\n`);
    });
    // The next write goes on after a failed one; who waits for the failed one hears of it.
    this.#lastWrite = write.catch(() => {});
    return write;
  }

  /** Waits for the last write and lets go of the file. */
  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#file.close();
  }
}

/** A finished file, to report on. Throws `EvaluationUnavailableError` when it holds no results. */
export async function readResultFile<Row extends ResultRow>(
  path: string,
  { read }: Pick<ResultFileOptions<Row>, "read">,
): Promise<{ readonly stamp: Stamp; readonly rows: ReadonlyMap<string, Row> }> {
  const text = (await textOfFile(path)) ?? "";
  return parse(path, text.slice(0, text.lastIndexOf("\n") + 1), read);
}

/** A folder in its place, a folder that cannot be made, no permission: the person can mend it. */
function refuse(path: string, cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  throw new EvaluationUnavailableError(
    `results cannot be kept in ${path}${code}; name another file`,
    { cause },
  );
}

function parse<Row extends ResultRow>(
  path: string,
  text: string,
  read: (fields: Fields) => Row,
): { readonly stamp: Stamp; readonly rows: Map<string, Row> } {
  const rows = new Map<string, Row>();
  let stamp: Stamp | null = null;
  parseJsonLines(text, {
    file: path,
    remedy: "remove it or start anew with --restart",
    read: (fields) => {
      if (stamp === null) {
        if (!("stamp" in fields)) {
          throw new EvaluationUnavailableError(`${path} is no result file; name another one`);
        }
        stamp = readStamp(objectFields(fields.stamp, "stamp"));
        return;
      }
      const row = read(fields);
      rows.set(row.id, row);
    },
  });
  if (stamp === null) {
    throw new EvaluationUnavailableError(`${path} is no result file; name another one`);
  }
  return { stamp, rows };
}

const readStamp = rowOf<Stamp>({
  ...{ benchmark: "string", version: "string", startedAt: "string", scoring: "string" },
  machine: {
    ...{ processor: "string", cores: "number", memoryGb: "number" },
    ...{ system: "string", node: "string", load: "number" },
  },
  engine: { kind: "string", version: "string?" },
  ...{ model: "string", quantisation: "string?", template: "string?", stops: "strings" },
  sampling: { temperature: "number", samples: "number", maxTokens: "number", seed: "number" },
  choices: "object",
});
