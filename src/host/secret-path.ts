import { denyTest } from "./deny-list.ts";

/**
 * A test for paths of documents, as editors send them: true where the built-in list of secrets or
 * the person's own `deny` patterns name the file. Any text is accepted as a path.
 */
export function secretPathTest(deny: readonly string[]): (path: string) => boolean {
  const isDenied = denyTest(deny);
  return (path) => {
    const names = path.split(/[\\/]/).filter((name) => name !== "" && !/^\.+$/.test(name));
    return names.length > 0 && isDenied(names.join("/"));
  };
}
