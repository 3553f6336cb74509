/**
 * Whether a request asks at all. The model without weights costs nothing and is asked wherever
 * somebody types; a language model costs money or heat and is not asked where hardly ever anything
 * right comes back. One table of named rules, so that the share of key presses which each of them
 * saves, and the right answers which it loses, can be counted (`countRefusals`).
 */
import { isWordCode } from "../../base/text.ts";
import { languageOf } from "../language.ts";
import type { Scope, ScopeProbe } from "../ports.ts";
import type { NoCompletionReason, TriggerKind } from "../types.ts";

/** Everything that the decision depends on. */
export interface AskPosition {
  readonly trigger: TriggerKind;
  /** True: may the language model be asked? False: may the model without weights? */
  readonly forModel: boolean;
  readonly hasSelection: boolean;
  /** False when the user switched this language off; all are on by default. */
  readonly isLanguageEnabled: boolean;
  /** Text left of the cursor: a window from a line start. */
  readonly prefix: string;
  /** Text right of the cursor: a window up to a line end. */
  readonly suffix: string;
  readonly languageId: string;
  /** Length of the whole document in UTF-16 units. */
  readonly documentLength: number;
  /** Asked at most once, and only when a rule needs it. */
  readonly scopes: ScopeProbe;
}

/** To ask, or the reason of the outcome and the rule that said no. */
export type AskDecision =
  | { readonly ask: true }
  | {
      readonly ask: false;
      readonly reason: Extract<NoCompletionReason, "disabled" | "policy">;
      readonly rule: PolicyRuleName;
    };

/** Names of the rules, in the order in which they are asked. */
export type PolicyRuleName = (typeof policyRules)[number]["name"];

/** What a rule sees. */
interface Place extends AskPosition {
  /** Text of the cursor's line left of it. */
  readonly left: string;
  readonly scope: () => Scope;
}

/** One rule. */
interface PolicyRule<Name extends string> {
  readonly name: Name;
  readonly reason: "disabled" | "policy";
  /** `model`: it holds for the language model only. */
  readonly for: "both" | "model";
  readonly refuses: (place: Place) => boolean;
}

/** Below this there is nothing to go by, in UTF-16 units of the whole document. */
const LEAST_LENGTH = 10;

/** The rules for automatic requests. The first that refuses names the refusal. */
export const policyRules: readonly [
  PolicyRule<"language-disabled">,
  PolicyRule<"selection">,
  PolicyRule<"tiny-document">,
  PolicyRule<"text-after-cursor">,
  PolicyRule<"word-of-comment">,
  PolicyRule<"finished-line">,
] = [
  {
    name: "language-disabled",
    reason: "disabled",
    for: "both",
    refuses: (place) => !place.isLanguageEnabled,
  },
  { name: "selection", reason: "policy", for: "both", refuses: (place) => place.hasSelection },
  {
    name: "tiny-document",
    reason: "policy",
    for: "model",
    refuses: (place) => place.documentLength < LEAST_LENGTH,
  },
  {
    name: "text-after-cursor",
    reason: "policy",
    for: "model",
    refuses: (place) => !isClosersOnly(place.suffix),
  },
  {
    // Prose is typed faster than it can be guessed, and half a word tells little of it.
    name: "word-of-comment",
    reason: "policy",
    for: "model",
    refuses: ({ left, languageId, scope }) =>
      endsInWord(left) && languageOf(languageId).nature === "code" && scope().region === "comment",
  },
  {
    name: "finished-line",
    reason: "policy",
    for: "model",
    refuses: (place) =>
      languageOf(place.languageId).nature === "code" &&
      isFinished(place.left.trim(), place.scope) &&
      place.scope().region === "code",
  },
];

/** Whether to ask. `invoked` always does. Cheap: it looks at the cursor's line, and the scope once. */
export function decideAsk(position: AskPosition): AskDecision {
  if (position.trigger === "invoked") return { ask: true };
  let scope: Scope | null = null;
  const place: Place = {
    ...position,
    left: position.prefix.slice(position.prefix.lastIndexOf("\n") + 1),
    scope: () => {
      scope ??= position.scopes.at(position.prefix, position.languageId);
      return scope;
    },
  };
  for (const rule of policyRules) {
    if (rule.for === "model" && !position.forModel) continue;
    if (rule.refuses(place)) return { ask: false, reason: rule.reason, rule: rule.name };
  }
  return { ask: true };
}

/**
 * True when nothing but closers, and a mark after them, stands right of the cursor on its line: what
 * an editor puts in by itself. One pass, whatever the text.
 */
function isClosersOnly(suffix: string): boolean {
  let at = skip(suffix, 0, " \t\r");
  at = skip(suffix, at, ")}]>\"'`");
  at = skip(suffix, at, " \t\r");
  if (at < suffix.length && ":{;,".includes(suffix.charAt(at))) at++;
  at = skip(suffix, at, " \t\r");
  return at === suffix.length || suffix[at] === "\n";
}

function skip(text: string, start: number, units: string): number {
  let at = start;
  while (at < text.length && units.includes(text.charAt(at))) at++;
  return at;
}

function endsInWord(text: string): boolean {
  return text !== "" && isWordCode(text.charCodeAt(text.length - 1));
}

/** Statements that are complete as they stand. */
const WHOLE_STATEMENTS: ReadonlySet<string> = new Set(["pass", "break", "continue"]);

/**
 * True when the next key is most likely the line end. A lone `}` is not such a line: ` else {`,
 * `);` and the like follow it more often than not.
 */
function isFinished(line: string, scope: () => Scope): boolean {
  // `for (let i = 0;█` goes on, and so do arguments on one line.
  if (line.endsWith(";")) return scope().openBrackets.at(-1)?.open !== "(";
  if (line.endsWith(",")) return scope().openBrackets.at(-1)?.opensBlock === true;
  const isCloserRun = line.length > 1 && skip(line, 0, ")}]") === line.length;
  return isCloserRun || WHOLE_STATEMENTS.has(line);
}
