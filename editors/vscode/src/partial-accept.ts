/** How much of an item is in the document after an editor command took a part of it. */

/**
 * Units from the start of the item's text that now stand at its place; 0 when nothing of it does.
 * `before` and `after` are the document's text from the item's start to the cursor.
 */
export function acceptedLength(itemText: string, before: string, after: string): number {
  // An editor writes its own line ends.
  const text = itemText.replaceAll("\r\n", "\n");
  const now = after.replaceAll("\r\n", "\n");
  const earlier = before.replaceAll("\r\n", "\n");
  return now.length > earlier.length && text.startsWith(now) ? now.length : 0;
}
