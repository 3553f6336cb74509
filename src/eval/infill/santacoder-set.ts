/**
 * SantaCoder-FIM: lines of HumanEval translations, compared and not run. Its licence is unclear, so it
 * is read from a file that the user has: JSON lines with `name`, `language`, `prompt`, `suffix` and
 * `canonical_solution`.
 */
import { DecodeError, type Fields } from "../../protocol/decode.ts";
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import { checkShape, readJsonLines } from "../run/json-lines.ts";
import { textOf } from "./infill-sets.ts";
import type { InfillTask } from "./infill-task.ts";

/** Languages as the data calls them, and how many rows of each there are. */
const languages = [
  { names: ["py", "python"], id: "python", rows: 1043 },
  { names: ["java"], id: "java", rows: 1780 },
  { names: ["js", "javascript"], id: "javascript", rows: 1969 },
] as const;

/**
 * The tasks, all languages in one list, and what is odd about the file in words; none of the latter
 * when it has the rows that are published. Throws `EvaluationUnavailableError` when it is missing or
 * holds something else.
 */
export async function readSantaCoder(
  file: string,
): Promise<{ readonly tasks: readonly InfillTask[]; readonly remarks: readonly string[] }> {
  const remedy = "it must be SantaCoder-FIM as JSON lines; convert the Parquet file first";
  const tasks = await readJsonLines({ file, read: taskOf, remedy });
  if (tasks === null) throw new EvaluationUnavailableError(`${file} is not there; ${remedy}`);
  const remarks = languages.flatMap(({ id, rows }) => {
    const count = tasks.filter(({ languageId }) => languageId === id).length;
    return count === rows ? [] : [`${id} has ${count} rows instead of the published ${rows}`];
  });
  return { tasks, remarks };
}

/**
 * The rows that make figures comparable: each language without answers of one or two characters, mostly
 * closing braces that carry the published means, and all rows as one, which weights languages by rows
 * as most papers do.
 */
export function santaCoderViews(
  tasks: readonly InfillTask[],
): readonly { readonly name: string; readonly tasks: readonly InfillTask[] }[] {
  if (tasks.length === 0) return [];
  const names = [...new Set(tasks.map(({ set }) => set))];
  const whole = [
    ...names.map((name) => ({ name, tasks: tasks.filter(({ set }) => set === name) })),
    { name: "santacoder-fim, all rows", tasks },
  ];
  const telling = whole.map((view) => ({
    name: `${view.name}, 3 characters on`,
    tasks: view.tasks.filter(({ target }) => target.trim().length > 2),
  }));
  return [...telling, ...whole.slice(-1)];
}

/** True for the names of these sets. */
export function isSantaCoder(setName: string): boolean {
  return setName.startsWith("santacoder-fim/");
}

function taskOf(row: Fields, index: number): InfillTask {
  const text = { name: "string", prompt: "string", suffix: "string" } as const;
  checkShape(row, { ...text, language: "string", canonical_solution: "string" });
  const name = textOf(row, "language").toLowerCase();
  const language = languages.find(({ names }) => names.some((known) => known === name));
  if (language === undefined) {
    throw new DecodeError("language", `${JSON.stringify(name)} is none of SantaCoder-FIM`);
  }
  return {
    id: `${index}/${textOf(row, "name")}`,
    set: `santacoder-fim/${language.id}`,
    languageId: language.id,
    prefix: textOf(row, "prompt"),
    suffix: textOf(row, "suffix"),
    target: textOf(row, "canonical_solution"),
    isSingleLine: true,
    isWholeLine: true,
    tests: null,
  };
}
