/**
 * Checked decoding of `POST /v1/autocomplete`, by hand: it runs on every key press. Budget 20 µs for
 * a small body; the cost does not depend on the length of the texts, which are passed on untouched.
 */
import {
  type AutocompleteBody,
  autocompleteLimits as limits,
  type WireContext,
} from "./autocomplete.ts";
import {
  arrayItems,
  DecodeError,
  isAbsent,
  kindOf,
  objectFields,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  optionalWord,
  requiredString,
} from "./decode.ts";

const multilineModes = ["auto", "never", "always"] as const;
const triggers = ["automatic", "invoked"] as const;
const contextKinds = ["open", "edit", "copied"] as const;
const versions = { min: 0, max: Number.MAX_SAFE_INTEGER };

/**
 * A parsed body with every known field checked; unknown fields are left out. Absent and `null`
 * optional fields are `undefined`: defaults are the receiver's. Throws `DecodeError`.
 */
export function decodeAutocomplete(value: unknown): AutocompleteBody {
  const fields = objectFields(value, "body");
  const prefix = requiredString(fields.prefix, "prefix", limits.textUnits);
  const suffix = requiredString(fields.suffix, "suffix", limits.textUnits);
  if (prefix.length + suffix.length > limits.textUnits) {
    throw new DecodeError(
      "prefix and suffix",
      `have ${prefix.length + suffix.length} UTF-16 units together, at most ${limits.textUnits} are taken`,
    );
  }
  return {
    prefix,
    suffix,
    language: optionalString(fields.language, "language", limits.languageUnits),
    path: optionalString(fields.path, "path", limits.pathUnits),
    max_tokens: optionalInteger(fields.max_tokens, "max_tokens", limits.maxTokens),
    temperature: optionalNumber(fields.temperature, "temperature", limits.temperature),
    stop: decodeStop(fields.stop),
    multiline: optionalWord(fields.multiline, "multiline", multilineModes),
    trigger: optionalWord(fields.trigger, "trigger", triggers),
    session: optionalString(fields.session, "session", limits.sessionUnits),
    version: optionalInteger(fields.version, "version", versions),
    stream: optionalBoolean(fields.stream, "stream"),
    n: optionalInteger(fields.n, "n", limits.n),
    threshold: optionalNumber(fields.threshold, "threshold", limits.threshold),
    selection: optionalBoolean(fields.selection, "selection"),
    context: decodeContext(fields.context),
    explain: optionalBoolean(fields.explain, "explain"),
    noted: optionalBoolean(fields.noted, "noted"),
  };
}

function decodeStop(value: unknown): readonly string[] | string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return decodeStopString(value, "stop");
  if (!Array.isArray(value)) {
    throw new DecodeError("stop", `must be a string or an array, got ${kindOf(value)}`);
  }
  return arrayItems(value, "stop", limits.stops).map((one, i) =>
    decodeStopString(one, `stop[${i}]`),
  );
}

function decodeStopString(value: unknown, field: string): string {
  const stop = requiredString(value, field, limits.stopUnits);
  if (stop === "") throw new DecodeError(field, "is empty: it would stop every text at its start");
  return stop;
}

function decodeContext(value: unknown): readonly WireContext[] | undefined {
  if (isAbsent(value)) return undefined;
  let units = 0;
  return arrayItems(value, "context", limits.contextItems).map((item, i) => {
    const field = `context[${i}]`;
    const fields = objectFields(item, field);
    const path = requiredString(fields.path, `${field}.path`, limits.pathUnits);
    const text = requiredString(fields.text, `${field}.text`, limits.contextUnits);
    units += text.length;
    if (units > limits.contextUnits) {
      throw new DecodeError(
        "context",
        `has more than ${limits.contextUnits} UTF-16 units of text together`,
      );
    }
    const kind = optionalWord(fields.kind, `${field}.kind`, contextKinds);
    if (kind === undefined) throw new DecodeError(`${field}.kind`, "is missing");
    return { path, text, kind };
  });
}
