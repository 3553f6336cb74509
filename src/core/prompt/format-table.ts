/** Checked reading of the data file of formats. A fault in it is ours: `BugError` with its place. */
import { assert, BugError } from "../../base/assert.ts";
import type {
  ClientFimFormat,
  FileForm,
  FimOrder,
  FormatRow,
  NoFimRow,
  ServerFimFormat,
} from "./format-row.ts";

const orders: readonly FimOrder[] = ["psm", "spm1", "spm2"];

/** The rows in order, and the strays. */
export function readFormatTable(data: unknown): {
  readonly rows: readonly FormatRow[];
  readonly strays: readonly string[];
} {
  const table = new Fields(data, "formats");
  return {
    rows: table.items("formats").map((row, index) => readRow(new Fields(row, `formats[${index}]`))),
    strays: table.texts("strays"),
  };
}

function readRow(row: Fields): FormatRow {
  const fim = row.oneOf("fim", ["client", "server", "none"]);
  if (fim === "client") return readClient(row);
  return fim === "server" ? readServer(row) : readNone(row);
}

function readClient(row: Fields): ClientFimFormat {
  const templates = row.part("templates");
  const sentinels = row.part("sentinels");
  const parts = {
    prefix: sentinels.text("prefix"),
    suffix: sentinels.text("suffix"),
    middle: sentinels.textOrNull("middle"),
  };
  const bos = row.textOrNull("bos");
  const stops = row.texts("stops");
  const known = orders.filter((order) => templates.has(order));
  const format: ClientFimFormat = {
    ...commonOf(row),
    fim: "client",
    order: row.oneOf("order", known),
    templates: Object.fromEntries(known.map((order) => [order, templates.text(order)])),
    untrained: known.filter((order) => row.texts("untrained").includes(order)),
    sentinels: parts,
    bos,
    stops,
    specials: specialsOf([
      parts.prefix,
      parts.suffix,
      parts.middle,
      bos,
      ...stops,
      ...row.texts("specials"),
    ]),
    files: row.has("files") ? readFiles(row.part("files")) : null,
    contextStops: row.texts("contextStops"),
    contextTokens: row.numberOrNull("contextTokens"),
    vocabulary: row.oneOf("vocabulary", ["large", "small"]),
  };
  return format;
}

function readFiles(form: Fields): FileForm {
  return {
    when: form.oneOf("when", ["always", "path", "repository", "snippets"]),
    start: form.text("start"),
    repository: form.text("repository"),
    file: form.text("file"),
    current: form.text("current"),
    inPrefix: form.text("inPrefix"),
    place: form.has("place") ? form.oneOf("place", ["before", "prefix"]) : "before",
  };
}

function readServer(row: Fields): ServerFimFormat {
  const api = row.part("api");
  return {
    ...commonOf(row),
    fim: "server",
    backendKind: row.text("backendKind"),
    api: { path: api.text("path"), fields: api.texts("fields"), text: api.text("text") },
    contextTokens: row.numberOrNull("contextTokens"),
  };
}

function readNone(row: Fields): NoFimRow {
  const { family, match, licence } = commonOf(row);
  return {
    fim: "none",
    family,
    match,
    licence,
    kind: row.oneOf("kind", ["untrained", "edit-prediction", "chat"]),
    reason: row.text("reason"),
    specials: row.texts("specials"),
  };
}

function commonOf(row: Fields): { family: string; match: RegExp; licence: string; note: string } {
  return {
    family: row.text("family"),
    match: new RegExp(row.text("match"), "i"),
    licence: row.text("licence"),
    note: row.text("note"),
  };
}

/** Without the blank glyph of some vocabularies, which a tokenizer also finds as a blank or as nothing. */
function specialsOf(texts: readonly (string | null)[]): readonly string[] {
  const specials = texts.flatMap((text) => (text === null ? [] : [text.replace(/^\u2581/, "")]));
  return [...new Set(specials)].sort((a, b) => b.length - a.length);
}

/** One object of the file. A missing text is `""` and a missing list empty: most fields are rare. */
class Fields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #place: string;

  constructor(value: unknown, place: string) {
    assert(typeof value === "object" && value !== null, `${place} is an object`);
    this.#values = new Map(Object.entries(value));
    this.#place = place;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  text(key: string): string {
    const value = this.#values.get(key) ?? "";
    assert(typeof value === "string", `${this.#place}.${key} is text`);
    return value;
  }

  textOrNull(key: string): string | null {
    return this.#values.get(key) === null ? null : this.text(key);
  }

  numberOrNull(key: string): number | null {
    const value = this.#values.get(key);
    assert(
      typeof value === "number" || value === null,
      `${this.#place}.${key} is a number or null`,
    );
    return value;
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T {
    const found = allowed.find((word) => word === this.#values.get(key));
    if (found === undefined)
      throw new BugError(`${this.#place}.${key} is one of ${allowed.join(", ")}`);
    return found;
  }

  items(key: string): readonly unknown[] {
    const value = this.#values.get(key) ?? [];
    assert(Array.isArray(value), `${this.#place}.${key} is a list`);
    return value;
  }

  texts(key: string): readonly string[] {
    return this.items(key).map((item) => {
      assert(typeof item === "string", `${this.#place}.${key} is a list of texts`);
      return item;
    });
  }

  part(key: string): Fields {
    return new Fields(this.#values.get(key), `${this.#place}.${key}`);
  }
}
