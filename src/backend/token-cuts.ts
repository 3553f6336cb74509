/**
 * Where a text may be cut so that its parts have the same tokens as the whole. Tokenizers first cut
 * by a pattern and merge inside the parts only; the patterns in use treat line ends in two ways:
 * those of GPT-4, Llama 3 and Qwen end a part after the line ends (`;⏎|    foo`), those of GPT-2,
 * StarCoder and SmolLM begin one with them (`;|⏎    foo`). Which one holds is asked of the server.
 */

/** Cuts a text; the parts joined are the text. */
export type TokenCut = (text: string) => readonly string[];

/** After the line ends: each part is a line with the blank lines that follow it. */
export const cutAfterLineEnds: TokenCut = (text) => text.split(/(?<=\n)(?=[^\S\r\n]*\S)/);

/** Before the white space that holds a line end: each part but the first begins with a line end. */
export const cutBeforeLineEnds: TokenCut = (text) => text.split(/(?<=\S)(?=[^\S\n]*\n)/);

/** Not at all: right for every tokenizer, and slow for long texts. */
export const cutNowhere: TokenCut = (text) => [text];

/** Code with every kind of border that matters; a cut is used if it leaves the tokens of this alone. */
export const cutSample: string = [
  "import { a, b } from './c';",
  "",
  "/** Über – π ≈ 3.14159 🚀 */",
  "export function total(items: Item[]): number {",
  "\tlet sum = 0;   ",
  "    for (const item of items) {",
  "        if (item.price > 100 && !item.free) continue",
  "",
  "",
  "        sum += item.price * 1e3;\r",
  "    }\r",
  "  return sum",
  "}",
  "   ",
  "def run(self):",
  "    return [",
  "        'x',",
  "    ]",
].join("\n");
