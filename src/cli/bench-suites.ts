/**
 * What `midspan bench` can measure, for its help: what it finds out, how long that takes, and what it
 * needs. Times are those of two cores that have the packages already.
 */

import { wrapped } from "./text-table.ts";

export type BenchName =
  | "local"
  | "policy"
  | "engine"
  | "server"
  | "editor"
  | "context"
  | "syntax"
  | "inference"
  | "speculation"
  | "latency"
  | "capacity"
  | "scale"
  | "context-scale";

/** One suite in words. */
export interface BenchSuite {
  readonly name: BenchName;
  /** Part of `all`. */
  readonly isUsual: boolean;
  readonly measures: string;
  readonly takes: string;
  readonly needs: string;
}

const packages = "The packages are fetched by npm at the first run.";
const nothing = "It needs nothing else.";
const PARAGRAPH = { width: 72, indent: 4 };

/** In the order in which the help names them. */
export const benchSuites: readonly BenchSuite[] = [
  {
    name: "local",
    isUsual: true,
    measures:
      "How often the model without weights is right at held-out places of open packages, how long a query takes, and a million lines.",
    takes: "About a minute; --quick takes two packages and leaves out the million lines.",
    needs: packages,
  },
  {
    name: "policy",
    isUsual: true,
    measures:
      "Which key presses need not ask a language model, and what is lost by not asking, over replayed typing.",
    takes: "About two minutes; --quick takes two packages.",
    needs: packages,
  },
  {
    name: "engine",
    isUsual: true,
    measures: "What our own code costs a key press, with a backend that answers at once.",
    takes: "Less than a minute.",
    needs: packages,
  },
  {
    name: "server",
    isUsual: true,
    measures: "What the HTTP server costs a request, against a bare one of Node.",
    takes: "Less than a minute.",
    needs: nothing,
  },
  {
    name: "editor",
    isUsual: false,
    measures:
      "From a request of an editor to its answer through the language server, typing lines of the current workspace.",
    takes: "Half a minute, by the size of the workspace; --quick types in fewer files.",
    needs: "It is run in a folder with code.",
  },
  {
    name: "context",
    isUsual: false,
    measures:
      "Whether the right snippets of other files reach the prompt, what they are worth, and whether prompts stay put while one types.",
    takes:
      "Many minutes; --quick takes two packages. The parts lines and headers stop after --minutes (12).",
    needs: `${packages} The parts lines and headers ask a model as bench inference does.`,
  },
  {
    name: "syntax",
    isUsual: false,
    measures: "What parsing costs a key press, and what the check of the syntax hides rightly.",
    takes: "About a minute; --quick takes two packages.",
    needs: packages,
  },
  {
    name: "inference",
    isUsual: false,
    measures:
      "The whole product around a real llama-server: time to the first token, cache, load, aborts, and right lines.",
    takes: "Minutes to hours, by the model; --minutes N stops it, and --answers FILE goes on.",
    needs:
      "It needs llama-server, or the command for it in MIDSPAN_LLAMA_SERVER, and in MIDSPAN_TEST_GGUF a tiny model beside which smol-fim.gguf lies.",
  },
  {
    name: "speculation",
    isUsual: false,
    measures: "How many passes of the embedded engine its guesses save, with equal texts.",
    takes: "Some minutes with a small model; --quick takes fewer places.",
    needs: "It needs midspan model engine install, and a small model in MIDSPAN_TEST_GGUF.",
  },
  {
    name: "latency",
    isUsual: false,
    measures:
      "Models side by side: right lines and blocks, time to the first token, tokens a second, memory; alone and ten at once.",
    takes: "A minute for the local model; a model takes its time for some 180 answers.",
    needs: `It needs a --target for each model: KIND:URL, or FILE.gguf and llama-server. ${packages}`,
  },
  {
    name: "capacity",
    isUsual: false,
    measures: "How many developers one model server carries until the first token comes too late.",
    takes: "Several minutes for each server; --quick is coarser.",
    needs: `It needs --target KIND:URL, or FILE.gguf and llama-server. ${packages}`,
  },
  {
    name: "scale",
    isUsual: false,
    measures:
      "The part of local about a million lines: time from nothing, memory, time of a query.",
    takes: "Some seconds.",
    needs: packages,
  },
  {
    name: "context-scale",
    isUsual: false,
    measures: "The part of context about a million lines: time, memory, and typing meanwhile.",
    takes: "Some minutes.",
    needs: packages,
  },
];

/** The help behind the flags: all about one suite, or what each one measures. */
export function benchHelp(what: string | undefined): string {
  const chosen = benchSuites.filter(({ name }) => name === what);
  const shown = chosen.length > 0 ? chosen : benchSuites;
  const entries = shown.map(({ name, isUsual, measures, takes, needs }) => {
    const usual = isUsual ? " (part of all)" : "";
    return `  ${name}${usual}\n    ${wrapped(`${measures} ${takes} ${needs}`, PARAGRAPH)}`;
  });
  return ["", "What is measured:", ...entries].join("\n");
}
