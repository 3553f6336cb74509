/** Templates of the format table, taken apart once: sentinels, other text, and slots to be filled. */
import type { PromptPiece } from "./prompt.ts";

/** What a slot of a template is filled with. */
export const slotNames = [
  "prefix",
  "suffix",
  "repository",
  "path",
  "content",
  "comment",
  "/comment",
  "language",
  "mode",
] as const;

/** One of `slotNames`. */
export type SlotName = (typeof slotNames)[number];

/** Part of a template. */
export type TemplatePart =
  | ({ readonly kind: "text" } & PromptPiece)
  | { readonly kind: "slot"; readonly name: SlotName };

/** A template in parts. `sentinels` are found longest first. */
export function parseTemplate(template: string, sentinels: readonly string[]): TemplatePart[] {
  const marks = [
    ...slotNames.map((name) => ({ text: `{${name}}`, part: { kind: "slot", name } as const })),
    ...sentinels
      .toSorted((a, b) => b.length - a.length)
      .map((text) => ({ text, part: { kind: "text", isSentinel: true, text } as const })),
  ];
  const parts: TemplatePart[] = [];
  let plainStart = 0;
  let at = 0;
  const endPlain = (): void => {
    if (at > plainStart) {
      parts.push({ kind: "text", isSentinel: false, text: template.slice(plainStart, at) });
    }
  };
  while (at < template.length) {
    const mark = marks.find(({ text }) => template.startsWith(text, at));
    if (mark === undefined) {
      at++;
      continue;
    }
    endPlain();
    parts.push(mark.part);
    at += mark.text.length;
    plainStart = at;
  }
  endPlain();
  return parts;
}

/** The pieces of a filled template; empty texts are left out. A slot without a value is empty. */
export function fillTemplate(
  parts: readonly TemplatePart[],
  values: Readonly<Partial<Record<SlotName, readonly PromptPiece[] | string>>>,
): readonly PromptPiece[] {
  return parts.flatMap((part) => {
    if (part.kind === "text") return [part];
    const value = values[part.name] ?? "";
    if (typeof value !== "string") return value;
    return value === "" ? [] : [{ isSentinel: false, text: value }];
  });
}
