/** Indentation as a width. A tab goes to the next multiple of `TAB_STOP`. */

const TAB_STOP = 8;

/** Width of the blanks at the start of `text` from `start` on. */
export function indentWidthAt(text: string, start = 0): number {
  let width = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32) width++;
    else if (code === 9) width += TAB_STOP - (width % TAB_STOP);
    else break;
  }
  return width;
}
