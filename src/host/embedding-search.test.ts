import { expect, it } from "vitest";
import { repoIndexOf } from "../testing/repo-fixture.ts";
import { ScriptedServer } from "../testing/scripted-server.ts";
import { EmbeddingSearch } from "./embedding-search.ts";
import { createHttpClient } from "./http-client.ts";
import { createLog } from "./log.ts";

const files: Readonly<Record<string, string>> = {
  "src/boats.ts": "export function sail(boat: Boat): void {}\n",
  "src/trees.ts": `export function plant(tree: Tree): void {}\nconst key = "ghp_${"aB1cD2eF3gH4iJ5kL6mN".repeat(2)}";\n`,
  "private/x.ts": "export function hide(): void {}\n",
};

/** One number for each word that it looks for. */
const vectorOf = (text: string): number[] =>
  ["boat", "tree", "ship"].map((word) => text.toLowerCase().split(word).length - 1 + 0.01);

it("Passages are found by their vectors, from files that may be shown, without their secrets.", async () => {
  const server = await ScriptedServer.start(({ body }) => {
    const { input } = JSON.parse(body);
    const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text) }));
    return { steps: [{ kind: "write", bytes: JSON.stringify({ data: data.reverse() }) }] };
  });
  const http = createHttpClient({ isOffline: false });
  const search = new EmbeddingSearch({
    ...{ http, log: createLog({ level: "error" }), url: `${server.url}/v1/`, model: "" },
    texts: { textOf: ({ path }) => files[path] ?? null, load: async () => {} },
    mayShow: (path) => path.startsWith("src/"),
  });
  try {
    await search.adopt(await repoIndexOf(files));
    const first = search.find("plant a tree");
    expect(first.passages).toEqual([]);
    await first.late;
    const { passages, late } = search.find("plant a tree");
    expect(late).toBeNull();
    expect(passages.map(({ path }) => path)).toEqual(["src/trees.ts", "src/boats.ts"]);
    const sent = server.requests.map(({ body }) => body).join();
    expect(sent).not.toContain("hide");
    expect(sent).not.toContain("aB1cD2");
    server.script = () => ({ status: 500, steps: [] });
    await search.find("sail").late;
    expect(search.find("plant a tree").passages).toHaveLength(2);
  } finally {
    search.close();
    await http.close();
    await server.close();
  }
});
