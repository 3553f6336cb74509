/** Reading JSON of unknown shape: what is missing or of another type is `undefined`, never a throw. */

/** The value at a path of keys and indexes. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined;
  }
  return here;
}

/** The text at a path. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The finite number at a path. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The list at a path; empty when there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
