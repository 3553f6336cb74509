/** The sets of tasks by name, and how each is read from its data file. */
import { EvaluationUnavailableError } from "../run/evaluation-unavailable.ts";
import type { DataFileName } from "./data-file.ts";
import { goFrame } from "./go-program.ts";
import type { InfillTask, InfillTests } from "./infill-task.ts";
import { javascriptHead } from "./javascript-parts.ts";
import type { Solution, SpanKind } from "./solution.ts";
import type { ToolchainId } from "./toolchain.ts";

/** One set. */
export interface InfillSet {
  readonly name: string;
  readonly file: DataFileName;
  readonly languageId: string;
  readonly toolchain: ToolchainId;
  readonly content:
    | { readonly kind: "tasks"; readonly read: (row: unknown) => InfillTask }
    /** Only solutions that pass their own tests count, and holes are made in them. */
    | {
        readonly kind: "solutions";
        /** `null` for a row that has none. */
        readonly read: (row: unknown) => Solution | null;
        readonly spans: SpanKind;
      };
}

const humanEvalKinds = ["single-line", "multi-line", "random-span", "random-span-light"] as const;

const humanEvalSets = humanEvalKinds.map((kind): InfillSet => {
  const name = `humaneval-infilling/${kind}` as const;
  const read = (row: unknown): InfillTask => ({
    id: textOf(row, "task_id"),
    set: name,
    languageId: "python",
    prefix: textOf(row, "prompt"),
    suffix: textOf(row, "suffix"),
    target: textOf(row, "canonical_solution"),
    isSingleLine: kind === "single-line",
    isWholeLine: false,
    tests: {
      toolchain: "python",
      head: "",
      tail: `\n${textOf(row, "test")}\ncheck(${textOf(row, "entry_point")})\n`,
      without: null,
    },
  });
  const content = { kind: "tasks", read } as const;
  return { name, file: name, languageId: "python", toolchain: "python", content };
});

/** As the harness of HumanEvalPack puts them before every C++ program. */
const cppHead = `#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;
`;

interface PackLanguage {
  /** As the data calls it. */
  readonly name: "python" | "js" | "java" | "go" | "rust" | "cpp";
  readonly id: ToolchainId;
  readonly testsOf: (row: unknown) => Omit<InfillTests, "toolchain">;
}

const packLanguages: readonly PackLanguage[] = [
  { name: "python", id: "python", testsOf: (row) => plainTests(row, "") },
  { name: "js", id: "javascript", testsOf: (row) => plainTests(row, javascriptHead) },
  { name: "java", id: "java", testsOf: (row) => plainTests(row, "") },
  {
    name: "go",
    id: "go",
    testsOf: (row) => ({
      ...goFrame(textOf(row, "prompt") + textOf(row, "canonical_solution"), textOf(row, "test")),
      without: null,
    }),
  },
  // Every program names three crates, of which next to none uses one.
  {
    name: "rust",
    id: "rust",
    testsOf: (row) => ({ ...plainTests(row, ""), without: /^use (rand|regex|md5)\b.*$/gm }),
  },
  { name: "cpp", id: "cpp", testsOf: (row) => plainTests(row, cppHead) },
];

const spanKinds = ["single-line", "multi-line"] as const;

const packSets = packLanguages.flatMap(({ name, id, testsOf }) =>
  spanKinds.map((spans): InfillSet => {
    const read = (row: unknown): Solution => ({
      id: textOf(row, "task_id"),
      prompt: textOf(row, "prompt"),
      body: textOf(row, "canonical_solution"),
      tests: { toolchain: id, ...testsOf(row) },
    });
    return {
      name: `humanevalpack-${name}/${spans}`,
      file: `humanevalpack-${name}`,
      languageId: id,
      toolchain: id,
      content: { kind: "solutions", read, spans },
    };
  }),
);

const mbxpSets = spanKinds.map((spans): InfillSet => {
  const read = (row: unknown): Solution | null =>
    fieldOf(row, "canonical_solution") === null
      ? null
      : {
          id: textOf(row, "task_id"),
          prompt: textOf(row, "prompt"),
          body: textOf(row, "canonical_solution"),
          tests: { toolchain: "typescript", ...plainTests(row, "") },
        };
  return {
    name: `mbxp-typescript/${spans}`,
    file: "mbxp-typescript",
    languageId: "typescript",
    toolchain: "typescript",
    content: { kind: "solutions", read, spans },
  };
});

/** Every set, in the order of reports. */
export const infillSets: readonly InfillSet[] = [...humanEvalSets, ...packSets, ...mbxpSets];

/**
 * The sets that the names mean: a name, or the part before its slash for all of that data; no names
 * mean all. Throws `EvaluationUnavailableError` for a name that is none.
 */
export function setsNamed(names: readonly string[]): readonly InfillSet[] {
  if (names.length === 0) return infillSets;
  return names.flatMap((name) => {
    const meant = infillSets.filter((set) => set.name === name || set.name.startsWith(`${name}/`));
    if (meant.length > 0) return meant;
    const known = infillSets.map((set) => set.name).join(", ");
    throw new EvaluationUnavailableError(
      `there is no set ${JSON.stringify(name)}; there are ${known}`,
    );
  });
}

function plainTests(row: unknown, head: string): Omit<InfillTests, "toolchain"> {
  return { head, tail: `\n${textOf(row, "test")}\n`, without: null };
}

/** A field of a row. The checksum was right, so a row without it is a fault of ours. */
export function textOf(row: unknown, field: string): string {
  const value = fieldOf(row, field);
  if (typeof value === "string") return value;
  throw new TypeError(`a row of the data has no text ${field}`);
}

function fieldOf(row: unknown, field: string): unknown {
  return typeof row === "object" && row !== null ? Reflect.get(row, field) : undefined;
}
