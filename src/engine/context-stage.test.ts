import { describe, expect, it } from "vitest";
import {
  bareCapabilities,
  type ContextFinding,
  type ContextPlace,
  type ContextSource,
  type Snippet,
} from "../core/index.ts";
import { engineOf, requestAt } from "../testing/engine-fixture.ts";
import { FakeBackend } from "../testing/fake-backend.ts";
import { FakeClock } from "../testing/fake-clock.ts";

/** A key that the fixed form of its issuer gives away. */
const KEY = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;

class ScriptedSource implements ContextSource {
  snippets: readonly Snippet[] = [];
  late: Promise<void> | null = null;
  readonly places: ContextPlace[] = [];
  readonly seen: string[] = [];
  readonly hidden = new Set<string>();

  see({ path }: { readonly path: string }): void {
    this.seen.push(path);
  }

  forget(path: string): void {
    this.seen.push(`-${path}`);
  }

  find(place: ContextPlace): ContextFinding {
    this.places.push(place);
    const { late } = this;
    this.late = null;
    return { snippets: this.snippets, late };
  }

  mayShow(path: string): boolean {
    return !this.hidden.has(path);
  }
}

function parts(script = "value;") {
  const clock = new FakeClock();
  const backend = new FakeBackend({ script, capabilities: bareCapabilities });
  const context = new ScriptedSource();
  const engine = engineOf({ clock, backend, context });
  const promptOf = (at: number): string => {
    const prompt = backend.requests.at(at)?.prompt;
    return prompt?.kind === "rendered" ? prompt.text : "";
  };
  const ask = async (marked: string) => {
    const answer = engine.complete(requestAt(marked, { trigger: "invoked", explain: true }), {
      signal: new AbortController().signal,
    });
    await clock.advance(1_000);
    return answer;
  };
  return { clock, backend, context, engine, promptOf, ask };
}

const definition = (text: string, path = "src/b.ts"): Snippet => ({
  ...{ kind: "definition", score: 1, path, text },
});

describe("context of a prompt", () => {
  it("stands in the prompt and in the explanation, with its source and score", async () => {
    const { context, promptOf, ask } = parts();
    context.snippets = [definition("export function other(): void\n")];
    const { explanation } = await ask("const a = █");
    expect(promptOf(-1)).toContain("export function other(): void");
    expect(explanation?.snippets).toEqual([
      { path: "src/b.ts", source: "definition", score: 1, text: "export function other(): void\n" },
    ]);
  });

  it("is not looked for in a comment", async () => {
    const { context, ask } = parts();
    await ask("// a word █");
    expect(context.places).toEqual([]);
  });

  it("stays while a word is typed, although something else is found", async () => {
    const { context, promptOf, ask } = parts();
    context.snippets = [definition("first();\n")];
    await ask("const a = b█");
    context.snippets = [definition("second();\n")];
    await ask("const a = bc█");
    expect(promptOf(-1)).toContain("first();");
    expect(promptOf(-1)).not.toContain("second();");
  });

  it("is looked for once for a name, before it is begun", async () => {
    const { context, ask } = parts();
    context.snippets = [definition("first();\n")];
    for (const typed of ["", "b", "ba", "bar", "bar."]) await ask(`const a = ${typed}█`);
    // The first look and the one behind the name; what explains an answer looks no more than it does.
    expect(context.places.map(({ offset }) => offset)).toEqual([10, 14]);
  });

  it("is not looked for again as long as another choice is not earned", async () => {
    const { context, ask } = parts();
    const above = "const price = amount * factor;\n".repeat(40);
    context.snippets = [definition("first();\n")];
    for (let keys = 0; keys < 30; keys++) await ask(`${above}f(${"(".repeat(keys)}█\n`);
    expect(context.places.length).toBe(1);
  });

  it("leaves at once when a rule keeps its file out", async () => {
    const { context, promptOf, ask } = parts();
    context.snippets = [definition("first();\n")];
    await ask("const a = b█");
    context.hidden.add("src/b.ts");
    await ask("const a = bc█");
    expect(promptOf(-1)).not.toContain("first();");
  });

  it("that comes late is waited for until the deadline, and used then", async () => {
    const { clock, context, engine, promptOf, backend } = parts();
    context.late = new Promise(() => {});
    context.snippets = [definition("ready();\n")];
    const { signal } = new AbortController();
    const answer = engine.complete(requestAt("const a = █", { trigger: "invoked" }), { signal });
    await clock.advance(24);
    expect(backend.requests).toEqual([]);
    await clock.advance(1_000);
    await answer;
    expect(promptOf(-1)).toContain("ready();");
  });

  it("loses its secrets, as the document itself does, and a proposal of a placeholder is dropped", async () => {
    const { context, promptOf, ask, backend } = parts();
    context.snippets = [definition(`const key = "${KEY}";\n`)];
    await ask(`const own = "${KEY}";\nconst a = █`);
    expect(promptOf(-1)).not.toContain(KEY.slice(0, 12));
    expect(promptOf(-1)).toContain("REDACTED");
    backend.script = '"REDACTEDREDACTED";';
    const { outcome, explanation } = await ask(`const own = "${KEY}";\nconst other = █`);
    expect(outcome).toEqual({ kind: "none", reason: "secret" });
    expect(explanation?.candidates[0]?.rejectedBy).toBe("placeholder");
  });

  it("loses sentinels of the model", async () => {
    const { context, promptOf, ask } = parts();
    context.snippets = [definition("const x = '<|fim_middle|>';\n")];
    await ask("const a = █");
    expect(promptOf(-1).split("<|fim_middle|>")).toHaveLength(2);
  });

  it("hears of documents that are opened, asked about and closed", () => {
    const { context, engine } = parts();
    const about = { path: "src/c.ts", languageId: "typescript", version: 1, text: "" };
    engine.open({ ...about, uri: "file:///c.ts" });
    engine.close("file:///c.ts");
    engine.close("file:///unknown.ts");
    expect(context.seen).toEqual(["src/c.ts", "-src/c.ts"]);
  });
});
