import { CompletionError } from "../errors.ts";
import { formatRows } from "./fim-format.ts";
import type { FimFormat, FormatRow } from "./format-row.ts";

/** Kinds of backend that write the prompt themselves; only their own rows apply there. */
const serverSideKinds: ReadonlySet<string> = new Set(
  formatRows.flatMap((row) => (row.fim === "server" ? [row.backendKind] : [])),
);

/**
 * The prompt format of a model. Its id may be a file (`/models/Qwen2.5-Coder-1.5B-Q8_0.gguf`), a
 * name with its owner (`bigcode/starcoder2-3b`) or one with a tag (`qwen2.5-coder:1.5b-base-q4_K_M`);
 * the last part of a path decides, the whole only where that says nothing. The first row that fits wins.
 * Throws MODEL_UNKNOWN (nothing is guessed), MODEL_WITHOUT_FIM with the reason, or CONFIG_INVALID for
 * an `override` that is no family or does not go with the backend.
 */
export function resolveFormat(options: {
  readonly model: string;
  /** `Backend.kind`. */
  readonly backendKind: string;
  /** Family named by hand; `null` lets the model's id decide. */
  readonly override: string | null;
}): FimFormat {
  const { model, backendKind, override } = options;
  const row = override === null ? rowOf(model, backendKind) : rowNamed(override, backendKind);
  if (row === null) {
    throw new CompletionError(
      "MODEL_UNKNOWN",
      serverSideKinds.has(backendKind)
        ? `The ${backendKind} backend has no fill-in-the-middle model ${JSON.stringify(model)}`
        : `No prompt format is known for the model ${JSON.stringify(model)}; ` +
            "name its family with --format FAMILY",
    );
  }
  if (row.fim === "none") {
    throw new CompletionError(
      "MODEL_WITHOUT_FIM",
      `The model ${JSON.stringify(model)} (${row.family}) cannot be used: ${row.reason}`,
    );
  }
  return row;
}

/** The row that fits a model's id, one without fill-in-the-middle too; `null` when none does. */
export function rowOf(model: string, backendKind: string): FormatRow | null {
  const name = model.slice(Math.max(model.lastIndexOf("/"), model.lastIndexOf("\\")) + 1);
  for (const id of [name, model]) {
    const row = formatRows.find((row) => row.match.test(id) && suits(row, backendKind));
    if (row !== undefined) return row;
  }
  return null;
}

function rowNamed(family: string, backendKind: string): FormatRow {
  const row = formatRows.find((row) => row.family === family.toLowerCase());
  if (row === undefined) {
    const usable = formatRows.filter((row) => row.fim === "client").map((row) => row.family);
    throw new CompletionError(
      "CONFIG_INVALID",
      `--format ${JSON.stringify(family)} is not a family; known are ${usable.join(", ")}`,
    );
  }
  if (!suits(row, backendKind)) {
    throw new CompletionError(
      "CONFIG_INVALID",
      row.fim === "server"
        ? `--format ${family} goes with the ${row.backendKind} backend only, not with ${backendKind}`
        : `--format ${family} does not go with the ${backendKind} backend, which writes the prompt itself`,
    );
  }
  return row;
}

function suits(row: FormatRow, backendKind: string): boolean {
  switch (row.fim) {
    case "server":
      return row.backendKind === backendKind;
    case "client":
      return !serverSideKinds.has(backendKind);
    case "none":
      return true;
  }
}
