/**
 * Random protocol messages: wrong order, wrong versions, whole texts, closed documents, huge edits,
 * unknown methods, broken parameters. Each request gets exactly one answer, of a code that the
 * protocol has; a text that is offered fits the document as it was asked about; and afterwards the
 * server works as before. `MIDSPAN_FUZZ_MESSAGES=100000` sends as many, `MIDSPAN_FUZZ_SEED` others.
 */
import { describe, expect, it } from "vitest";
import type { Message } from "vscode-languageserver/node";
import { StreamMessageReader } from "vscode-languageserver/node";
import { createRandom, type Random } from "../../src/stats/random.ts";
import { example, LspClient, type WireItem } from "./lsp-client.ts";

const messages = Number(process.env.MIDSPAN_FUZZ_MESSAGES ?? 3_000);
const seed = Number(process.env.MIDSPAN_FUZZ_SEED ?? 1);

/** Codes with which a request may end. */
const codes = new Set([-32600, -32601, -32602, -32800, -32801, -32802]);

describe("random messages", () => {
  it(`of seed ${seed} are answered or refused as the protocol says`, {
    timeout: 60_000 + messages * 20,
  }, async () => {
    for (const isKnown of [false, true]) {
      const faults = await new Fuzz(seed, isKnown).run(messages / 2);
      expect(faults).toEqual([]);
    }
  });
});

/** A document as the client knows it. */
interface Known {
  text: string;
  version: number;
  /** False once something was sent that the server cannot apply. */
  isInStep: boolean;
}

class Fuzz {
  readonly #random: Random;
  readonly #client = new LspClient();
  readonly #known = new Map<string, Known>();
  readonly #pending = new Map<number, (answer: Answer) => void>();
  readonly #faults: string[] = [];
  readonly #isKnown: boolean;
  #nextId = 1_000_000;
  #offered = 0;

  constructor(seed: number, isKnown: boolean) {
    this.#random = createRandom(seed);
    this.#isKnown = isKnown;
  }

  async run(count: number): Promise<readonly string[]> {
    const initializationOptions = this.#isKnown ? { editorInfo: { name: "Fuzz" } } : {};
    // Of the many requests that are never sent as the library would, the answers are read here.
    const reader = new StreamMessageReader(this.#client.fromServer);
    reader.listen((message) => this.#hear(message));
    await this.#client.initialize({ initializationOptions });
    for (let sent = 0; sent < count; sent++) {
      await this.#send();
      if (sent % 500 === 499) await this.#checkHealth();
    }
    await this.#checkHealth();
    const late = [...this.#pending.keys()];
    if (late.length > 0) this.#faults.push(`${late.length} requests were never answered`);
    // Otherwise nothing was checked.
    if (this.#offered === 0) this.#faults.push("nothing was ever offered");
    const faults = this.#client.log.filter((line) => line.includes("was not handled"));
    await this.#client.leave();
    return [...this.#faults, ...faults];
  }

  /** One message. Some requests are waited for: then the document is the one that was asked about. */
  async #send(): Promise<void> {
    const kind = this.#pick([
      ...repeat(14, "change"),
      ...repeat(8, "complete"),
      ...repeat(3, "open"),
      ...repeat(2, "close"),
      ...repeat(2, "other"),
      "cancel",
      "broken",
    ]);
    if (kind === "open") return this.#open();
    if (kind === "close") return this.#close();
    if (kind === "change") return this.#change();
    if (kind === "complete") return this.#complete();
    if (kind === "cancel") {
      const id = this.#pick([this.#nextId - 1, this.#nextId - 2, 3, "x"]);
      return this.#notify("$/cancelRequest", { id });
    }
    if (kind === "other") return this.#other();
    const method = this.#pick(methods);
    const params = this.#garbage(0);
    if (this.#chance(0.5)) this.#notify(method, params);
    else void this.#request(method, params);
  }

  #open(uri: string = this.#uri(), text: string = this.#text()): void {
    const version = this.#int(5);
    const textDocument = { uri, languageId: this.#pick(["typescript", "", "x"]), version, text };
    this.#known.set(uri, { text, version, isInStep: true });
    this.#notify("textDocument/didOpen", { textDocument });
  }

  #close(): void {
    const uri = this.#uri();
    this.#known.delete(uri);
    this.#notify("textDocument/didClose", { textDocument: { uri } });
  }

  #change(): void {
    const uri = this.#uri();
    const known = this.#known.get(uri);
    const isWrong = this.#chance(0.03);
    const version = (known?.version ?? 0) + (isWrong ? -this.#int(3) : 1 + this.#int(2));
    if (this.#chance(0.05)) {
      const text = this.#text();
      if (known !== undefined) {
        known.isInStep = !isWrong;
        if (!isWrong) Object.assign(known, { text, version });
      }
      const whole = { textDocument: { uri, version }, contentChanges: [{ text }] };
      this.#notify("textDocument/didChange", whole);
      return;
    }
    const contentChanges: object[] = [];
    let text = known?.text ?? "";
    let isPossible = !isWrong && known?.isInStep === true;
    for (let i = 0; i <= this.#int(3); i++) {
      const [a, b] = [this.#int(text.length + 1), this.#int(30)];
      const isReversed = this.#chance(0.01);
      const [from, to] = [a, Math.min(text.length, a + b)];
      const inserted = this.#chance(0.01) ? "x\n".repeat(this.#int(50_000)) : this.#piece();
      const range = { start: positionAt(text, from), end: positionAt(text, to) };
      const ends = isReversed ? { start: range.end, end: range.start } : range;
      contentChanges.push({ range: ends, text: inserted });
      if (isReversed && to > from) isPossible = false;
      text = text.slice(0, from) + inserted + text.slice(to);
    }
    if (known !== undefined) {
      known.isInStep = isPossible;
      if (isPossible) Object.assign(known, { text, version });
    }
    this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
  }

  async #complete(): Promise<void> {
    const uri = this.#uri();
    const isLikely = this.#chance(0.2);
    if (isLikely) this.#open(uri, example.text + this.#text());
    const known = this.#known.get(uri);
    const text = known?.text ?? "";
    const offset = this.#int(text.length + 1);
    const anywhere = this.#chance(0.05)
      ? { line: this.#int(10), character: this.#int(200) }
      : positionAt(text, offset);
    const position = isLikely ? example.position : anywhere;
    const version = this.#chance(0.3) ? this.#int(8) : undefined;
    const asked = this.#request("textDocument/inlineCompletion", {
      textDocument: { uri, version },
      position,
      context: { triggerKind: this.#pick([1, 2, 3]) },
    });
    if (!this.#chance(0.4)) return;
    const { result } = await asked;
    for (const item of itemsOf(result)) this.#checkItem(item, known, text);
  }

  #other(): void {
    const { method, params } = this.#pick([
      { method: "workspace/executeCommand", params: { command: "x" } },
      {
        method: "workspace/executeCommand",
        params: { command: "midspan.didAcceptCompletion", arguments: ["x"] },
      },
      {
        method: "getCompletions",
        params: { doc: { uri: this.#uri(), position: example.position } },
      },
      { method: "notifyRejected", params: { uuids: ["x"] } },
      { method: "no/such", params: {} },
      { method: "initialize", params: { capabilities: {} } },
      { method: "midspan/status", params: {} },
    ]);
    void this.#request(method, params);
    this.#notify("workspace/didChangeWorkspaceFolders", {
      event: this.#chance(0.5)
        ? { added: [{ uri: "file:///other" }], removed: [] }
        : { added: [], removed: [{ uri: "file:///other" }] },
    });
  }

  /** The text must fit the document that was asked about, and lose nothing that stands in it. */
  #checkItem(item: WireItem, known: Known | undefined, text: string): void {
    this.#offered++;
    if (known?.isInStep !== true || known.text !== text) {
      this.#faults.push("a text was offered for a document that is not known");
      return;
    }
    const from = offsetAt(text, item.range.start);
    const to = offsetAt(text, item.range.end);
    const replaced = text.slice(from, to);
    if (replaced.includes("\n")) this.#faults.push("a range crosses a line break");
    let at = 0;
    for (const unit of replaced.replace(/\s/g, "")) {
      at = item.insertText.indexOf(unit, at) + 1;
      if (at === 0) {
        this.#faults.push(`${JSON.stringify(item.insertText)} loses ${JSON.stringify(replaced)}`);
        return;
      }
    }
  }

  async #checkHealth(): Promise<void> {
    const uri = "file:///work%20space/health.ts";
    const { languageId, text, position } = example;
    this.#notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    const asked = { textDocument: { uri }, position, context: { triggerKind: 2 } };
    const { result } = await this.#request("textDocument/inlineCompletion", asked);
    const [item] = itemsOf(result);
    if (item?.insertText.endsWith("uteTotal(items);") !== true) {
      this.#faults.push(`the server no longer completes: ${JSON.stringify(result)}`);
    }
    this.#notify("textDocument/didClose", { textDocument: { uri } });
  }

  #request(method: string, params: unknown): Promise<Answer> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#write({ jsonrpc: "2.0", id, method, params });
    });
  }

  #notify(method: string, params: unknown): void {
    this.#write({ jsonrpc: "2.0", method, params });
  }

  #write(message: object): void {
    const body = Buffer.from(JSON.stringify(message));
    this.#client.toServer.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#client.toServer.write(body);
  }

  #hear(message: Message): void {
    const answer = message as Message & Answer & { readonly id?: unknown };
    if (typeof answer.id !== "number" || "method" in message) return;
    const resolve = this.#pending.get(answer.id);
    if (resolve === undefined) {
      if (answer.id >= 1_000_000) this.#faults.push(`request ${answer.id} was answered twice`);
      return;
    }
    this.#pending.delete(answer.id);
    const { error } = answer;
    if (error !== undefined && !codes.has(error.code)) {
      this.#faults.push(`${error.code}: ${error.message}`);
    }
    const isByConvention = error?.code === -32802;
    if (isByConvention && !this.#isKnown)
      this.#faults.push("-32802 for a client without editorInfo");
    resolve(answer);
  }

  #garbage(depth: number): unknown {
    const fields = ["textDocument", "uri", "position", "line", "doc", "contentChanges", "item"];
    const make = this.#pick<() => unknown>([
      () => null,
      () => this.#int(9) - 4,
      () => this.#random.next() * 1e12,
      () => this.#piece(),
      () => this.#uri(),
      () => (depth > 3 ? [] : [this.#garbage(depth + 1), this.#garbage(depth + 1)]),
      () =>
        Object.fromEntries(
          (depth > 3 ? [] : fields.slice(this.#int(7)))
            .slice(0, 3)
            .map((field) => [field, this.#garbage(depth + 1)]),
        ),
    ]);
    const value = make();
    // The library sends parameters as an object or a list only.
    return depth > 0 || typeof value === "object" ? value : [value];
  }

  #uri(): string {
    return `file:///work%20space/src/${this.#pick(["a", "b", "c", "ü", "d"])}.ts`;
  }

  #text(): string {
    let text = "";
    for (let i = this.#int(40); i > 0; i--) text += this.#piece();
    return text;
  }

  #piece(): string {
    return this.#pick([
      ...["comp", "const total = ", "computeTotal(items);", "items", "(", ")", "{", "}", " "],
      ...["\n", "\r\n", "\t", "🚀", "ß", "\ud800", "\n\n  ", "for (const item of items) {\n"],
    ]);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return this.#random.pick(items);
  }

  #int(below: number): number {
    return this.#random.below(below);
  }

  #chance(chance: number): boolean {
    return this.#random.next() < chance;
  }
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const methods = [
  ...["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"],
  ...["textDocument/inlineCompletion", "textDocument/didFocus", "textDocument/didShowCompletion"],
  "textDocument/completion",
  ...["textDocument/didPartiallyAcceptCompletion", "workspace/executeCommand", "getCompletions"],
  ...["notifyAccepted", "notifyShown", "notifyRejected", "notebookDocument/didOpen"],
  ...[
    "notebookDocument/didChange",
    "notebookDocument/didClose",
    "setEditorInfo",
    "x",
    "initialized",
  ],
  ...["workspace/didChangeWorkspaceFolders", "$/setTrace", "getPanelCompletions", "$/unknown"],
];

function repeat<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

function itemsOf(result: unknown): readonly WireItem[] {
  if (typeof result !== "object" || result === null || !("items" in result)) return [];
  return result.items as readonly WireItem[];
}

function positionAt(text: string, offset: number): { line: number; character: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function offsetAt(text: string, position: { line: number; character: number }): number {
  const lines = text.split("\n").slice(0, position.line);
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + position.character;
}
