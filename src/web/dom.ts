/** What may stand inside an element. `null` is left out. */
export type Child = Node | string | null;

/** `true` sets an attribute without a value; `false` and `null` leave it out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Creates an element. Text stays text: nothing here ever parses HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Sets the text only when it differs, so that unchanged parts are not laid out again. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
