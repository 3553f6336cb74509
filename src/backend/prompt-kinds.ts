import { BugError } from "../base/assert.ts";
import type { FimPrompt } from "../core/index.ts";

type Rendered = Extract<FimPrompt, { readonly kind: "rendered" }>;
type Parts = Extract<FimPrompt, { readonly kind: "parts" }>;

/** The prompt of a backend whose capability `fim` is `client`. */
export function renderedPrompt(prompt: FimPrompt): Rendered {
  if (prompt.kind !== "rendered") throw new BugError("this backend takes a rendered prompt");
  return prompt;
}

/** The prompt of a backend whose capability `fim` is `server`. */
export function promptParts(prompt: FimPrompt): Parts {
  if (prompt.kind !== "parts") throw new BugError("this backend takes prefix and suffix");
  return prompt;
}
