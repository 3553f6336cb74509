import type { AutocompleteReply } from "../../protocol/autocomplete.ts";

/** A text of an answer that one can take at the cursor. */
export interface OfferedText {
  /** What is left of it to insert. */
  readonly text: string;
  /** The text as the answer has it. */
  readonly whole: string;
}

/** What became of the last key press, as far as the page saw it. */
export type KeyPress =
  | {
      readonly kind: "none";
      /** What to type on a new line to see ghost text; `null` when that is not known. */
      readonly beginning: string | null;
    }
  | {
      readonly kind: "answered";
      readonly trigger: "automatic" | "invoked";
      /** From the key press until the editor asked. */
      readonly editorWaitMs: number;
      /** From the question until the answer, as the page measured it. */
      readonly roundTripMs: number;
      readonly reply: AutocompleteReply;
      /** The text on screen first; empty when the answer has none. */
      readonly offered: readonly OfferedText[];
    }
  | {
      readonly kind: "typed-through";
      readonly editorWaitMs: number;
      /** The time that the answer took without a request. */
      readonly reuseMs: number;
      /** The answer that still holds. */
      readonly reply: AutocompleteReply;
      /** What still fits of it, the text on screen first. */
      readonly offered: readonly OfferedText[];
    }
  /** The server was asked and has not answered yet. */
  | { readonly kind: "waiting"; readonly trigger: "automatic" | "invoked" }
  /** The editor lost interest before there was an answer, and no newer key press is the reason. */
  | { readonly kind: "withdrawn" }
  | { readonly kind: "paused" }
  | { readonly kind: "failed"; readonly message: string };

/** One bar of the waterfall. */
export interface Stage {
  readonly id: StageId;
  readonly label: string;
  /** What happens in it, for a reader who points at it. */
  readonly about: string;
  /** From the key press. */
  readonly startMs: number;
  readonly durationMs: number;
}

type StageId =
  | "wait"
  | "queue"
  | "context"
  | "prompt"
  | "local"
  | "ttft"
  | "decode"
  | "post"
  | "rest";

const stageTexts: readonly (readonly [StageId, string, string])[] = [
  ["wait", "Editor wait", "From the key press until the editor asks"],
  ["queue", "Queue", "Waiting for a free place and for the typing to pause"],
  ["context", "Context", "Scope, open files, similar code"],
  ["prompt", "Prompt", "Windows, snippets and the model's sentinels"],
  ["local", "Local model", "The model without weights searches the index"],
  ["ttft", "First token", "Until the language model sends its first token"],
  ["decode", "Decode", "Until the language model has written the last one"],
  ["post", "Checks", "Filters, calibrated chance and the show rule"],
  ["rest", "Network, rest", "Round trip through the browser, and what no stage claims"],
];

/** The stages in order, each starting where the one before it ends. All 0 when nothing was asked. */
export function stagesOf(keyPress: KeyPress): readonly Stage[] {
  const durations = durationsOf(keyPress);
  let startMs = 0;
  return stageTexts.map(([id, label, about]) => {
    const durationMs = Math.max(0, durations[id] ?? 0);
    const stage = { id, label, about, startMs, durationMs };
    startMs += durationMs;
    return stage;
  });
}

/** From the key press to the answer. */
export function totalMs(stages: readonly Stage[]): number {
  return stages.reduce((sum, stage) => sum + stage.durationMs, 0);
}

function durationsOf(keyPress: KeyPress): Partial<Record<StageId, number>> {
  if (keyPress.kind === "typed-through") {
    return { wait: keyPress.editorWaitMs, rest: keyPress.reuseMs };
  }
  if (keyPress.kind !== "answered") return {};
  const { timings } = keyPress.reply;
  const inServer = {
    queue: timings.queue_ms,
    context: timings.context_ms,
    prompt: timings.prompt_ms,
    local: timings.local_ms,
    ttft: timings.ttft_ms,
    decode: timings.decode_ms,
    post: timings.post_ms,
  };
  const known = Object.values(inServer).reduce((sum, ms) => sum + ms, 0);
  return { wait: keyPress.editorWaitMs, ...inServer, rest: keyPress.roundTripMs - known };
}

/** Milliseconds for a narrow column: `0.04`, `3.1`, `128`; a dash for a stage that did not run. */
export function formatMs(ms: number): string {
  if (ms <= 0) return "–";
  if (ms < 0.095) return ms < 0.01 ? "<0.01" : ms.toFixed(2);
  return ms < 99.95 ? ms.toFixed(1) : ms.toFixed(0);
}
