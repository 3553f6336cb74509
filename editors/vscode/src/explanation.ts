/** Why the last suggestion was shown, or why nothing was, as a page beside the code. */
import { commands, EventEmitter, type TextDocumentContentProvider, Uri } from "vscode";

/** The server's answer to `midspan/explainLast`. */
export interface Explanation {
  readonly shown: string | null;
  readonly reason: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly ms: number;
  readonly decision: string;
  readonly candidates: readonly {
    readonly text: string;
    readonly chance: number | null;
    readonly source: string;
    readonly rejectedBy: string | null;
  }[];
  readonly snippets?: readonly {
    readonly path: string;
    readonly source: string;
    readonly score: number;
  }[];
}

export const explanationScheme = "midspan-explanation";

export class ExplanationPage implements TextDocumentContentProvider {
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #uri = Uri.parse(`${explanationScheme}:Last%20suggestion.md`);
  #text = "";

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async show(explanation: Explanation | null): Promise<void> {
    this.#text = explanation === null ? nothingAsked : pageOf(explanation);
    this.#changed.fire(this.#uri);
    await commands.executeCommand("markdown.showPreviewToSide", this.#uri);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const nothingAsked = "# Last suggestion\n\nNothing was asked yet: type in a file first.\n";

export function pageOf(explanation: Explanation): string {
  const { shown, reason, source, model, ms, decision, candidates, snippets = [] } = explanation;
  const head =
    shown === null
      ? [`Nothing was shown: **${reason ?? "empty"}**.`]
      : ["Shown:", "", fenced(shown), "", `By ${model ?? "?"} (${source ?? "?"}).`];
  const rows = candidates.map(
    ({ text, chance, source, rejectedBy }) =>
      `| ${cell(text)} | ${chance === null ? "?" : `${Math.round(chance * 100)} %`} | ${source} | ${rejectedBy ?? ""} |`,
  );
  const context = snippets.map(
    ({ path, source, score }) => `| ${cell(path)} | ${source} | ${score.toFixed(2)} |`,
  );
  return [
    ...["# Last suggestion", "", ...head, "", decision, "", `It took ${ms.toFixed(1)} ms.`, ""],
    ...(rows.length === 0
      ? []
      : ["| text | chance | from | refused by |", "| --- | ---: | --- | --- |", ...rows, ""]),
    ...(context.length === 0
      ? []
      : ["## Context", "", "| file | source | score |", "| --- | --- | ---: |", ...context, ""]),
  ].join("\n");
}

/** In a fence that no text can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function cell(text: string): string {
  const plain = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  return plain.includes("`") ? plain : `\`${plain}\``;
}
