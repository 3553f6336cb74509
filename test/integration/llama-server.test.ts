/** The two adapters that a llama-server can be asked with, against a real one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBackend, probeBackend } from "../../src/backend/index.ts";
import {
  type Backend,
  type BackendEvent,
  type BackendRequest,
  balancedGrammar,
  formatByEvidence,
  type PromptPiece,
} from "../../src/core/index.ts";
import { type ClosableHttpClient, createHttpClient } from "../../src/host/http-client.ts";
import {
  findLlamaServer,
  howToGetLlamaServer,
  type RunningLlamaServer,
  startLlamaServer,
} from "./llama-server.ts";

const prefix = `export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += `;
const suffix = `;
  }
  return sum;
}
`;

/** Suffix first, as the model was trained: what is typed stands at the end of the prompt. */
function piecesOf(before: string, after: string): readonly PromptPiece[] {
  const [pre, suf, mid] = sentinels;
  const text = (content: string): PromptPiece => ({ isSentinel: false, text: content });
  return order === "spm2"
    ? [pre, suf, text(after), mid, text(before)]
    : [suf, text(after), pre, text(before), mid];
}

let order = "";
let sentinels: readonly [PromptPiece, PromptPiece, PromptPiece];

/** The sentinels of the model, by the tokens that it has. */
async function learnFormat(url: string, http: ClosableHttpClient): Promise<void> {
  const spec = { kind: "llama.cpp", url } as const;
  const probed = await probeBackend(spec, { http, apiKey: null, model: null }, { signal });
  const { evidence, models } = probed;
  if (evidence === null) throw new Error("llama-server shows no vocabulary");
  const format = formatByEvidence({
    model: models[0]?.id ?? "",
    backendKind: "llama.cpp",
    override: null,
    evidence,
  });
  if (format.fim !== "client") throw new Error("not a format of ours");
  order = format.order;
  const { prefix, suffix, middle } = format.sentinels;
  sentinels = [
    { isSentinel: true, text: prefix },
    { isSentinel: true, text: suffix },
    { isSentinel: true, text: middle ?? "" },
  ];
}

function requestFor(
  pieces: readonly PromptPiece[],
  changes: Partial<BackendRequest> = {},
): BackendRequest {
  const text = pieces.map((piece) => piece.text).join("");
  return {
    model: "",
    prompt: { kind: "rendered", text, pieces, tokens: 1 },
    maxTokens: 24,
    temperature: 0,
    stop: [],
    ...changes,
  };
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** True when each closer is that of the innermost open bracket; `open` are those of the cursor. */
function fits(text: string, open: readonly string[], finishReason: string): boolean {
  const closers = [...open];
  // Brackets inside a string count for nothing, also of one that the token limit cut.
  const end = finishReason === "length" ? "$" : "(?!)";
  const strings = new RegExp(
    `"(\\\\.|[^"\\\\\n])*("|\\\\?${end})|'(\\\\.|[^'\\\\\n])*('|\\\\?${end})`,
    "g",
  );
  for (const mark of text.replace(strings, "")) {
    const close = pairs[mark];
    if (close !== undefined) closers.push(close);
    else if (")]}".includes(mark) && closers.pop() !== mark) return false;
  }
  return finishReason === "length" || closers.length <= open.length;
}

/** A text that the model goes on with for ever, line by line. */
const endless = requestFor(
  [{ isSentinel: false, text: "const a = 1;\nconst b = 2;\nconst c = 3;\n" }],
  { maxTokens: 1500 },
);

const { signal } = new AbortController();

async function run(backend: Backend, request: BackendRequest) {
  let text = "";
  const logProbabilities: (number | undefined)[] = [];
  let done: Extract<BackendEvent, { kind: "done" }> | null = null;
  for await (const event of backend.complete(request, { signal })) {
    if (event.kind === "done") done = event;
    else {
      text += event.text;
      logProbabilities.push(event.logProbability);
    }
  }
  if (done === null) throw new Error("no done");
  return { text, logProbabilities, finishReason: done.finishReason, usage: done.usage };
}

describe("a real llama-server", () => {
  let server: RunningLlamaServer;
  let http: ClosableHttpClient;
  let llama: Backend;
  let openai: Backend;

  beforeAll(async () => {
    const setup = findLlamaServer();
    if (setup === null) throw new Error(howToGetLlamaServer);
    server = await startLlamaServer(setup);
    http = createHttpClient({ isOffline: true });
    llama = createBackend({ kind: "llama.cpp", url: server.url }, { http, apiKey: null });
    openai = createBackend({ kind: "openai", url: `${server.url}/v1` }, { http, apiKey: null });
    await learnFormat(server.url, http);
  });
  afterAll(async () => {
    await http?.close();
    await server?.stop();
  });

  it("gives the same greedy text for token ids and for text", async () => {
    const request = requestFor(piecesOf(prefix, suffix));
    const [ids, text] = [await run(llama, request), await run(openai, request)];
    expect(ids.text).toBe(text.text);
    expect(ids.finishReason).toBe(text.finishReason);
    expect(ids.usage.inputTokens).toBe(text.usage.inputTokens);
    // The second one found all but the last token in the cache: they are the same tokens.
    expect(text.usage.cachedTokens).toBe(text.usage.inputTokens - 1);
  });

  it("evaluates a handful of tokens for a key press", async () => {
    await run(llama, requestFor(piecesOf(prefix, suffix), { maxTokens: 1 }));
    const counts: number[] = [];
    for (const typed of ["i", "it", "ite", "item", "item.", "item.p", "item.pr"]) {
      const { usage } = await run(
        llama,
        requestFor(piecesOf(prefix + typed, suffix), { maxTokens: 1 }),
      );
      counts.push(usage.inputTokens - usage.cachedTokens);
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  });

  it("takes a sentinel in a file for text", async () => {
    const [, , middle] = sentinels;
    const fake = await run(llama, requestFor(piecesOf(prefix + middle.text, suffix)));
    const real = await run(llama, requestFor([middle, ...piecesOf(prefix, suffix)]));
    expect(fake.usage.inputTokens).toBeGreaterThan(real.usage.inputTokens + 3);
  });

  it("begins with the text that is forced on it", async () => {
    const forcedPrefix = 'retu"\\\té\n';
    const { text } = await run(llama, requestFor(piecesOf(prefix, suffix), { forcedPrefix }));
    expect(text.startsWith(forcedPrefix)).toBe(true);
  });

  it("keeps to a grammar, and says that the token limit ended the text", async () => {
    const grammar = 'root ::= "ab" [0-9] [a-z ]+';
    const changes = { grammar, maxTokens: 3 };
    const { text, finishReason } = await run(llama, requestFor(piecesOf(prefix, suffix), changes));
    expect(text).toMatch(/^ab[0-9][a-z ]*$/);
    expect(finishReason).toBe("length");
  });

  it("closes only what is open when brackets must match", async () => {
    const open = [{ close: "}" }, { close: ")" }];
    const asked = piecesOf("function f() {\n  return g(", "\n}\n");
    const wrong = [];
    for (const forced of ["", "(", "  "]) {
      for (let i = 0; i < 8; i++) {
        const grammar = balancedGrammar(forced, open);
        const changes = { grammar, temperature: 1.5, maxTokens: 40 };
        const { text, finishReason } = await run(llama, requestFor(asked, changes));
        const isForced = text.startsWith(forced);
        if (!isForced || !fits(text.slice(forced.length), [..."})"], finishReason)) {
          wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("reports log-probabilities when they are asked for", async () => {
    const asked = requestFor(piecesOf(prefix, suffix), { logProbabilities: true });
    const { logProbabilities } = await run(llama, asked);
    expect(logProbabilities.length).toBeGreaterThan(0);
    expect(logProbabilities.every((value) => value !== undefined && value <= 0)).toBe(true);
  });

  it("counts tokens as it counts a prompt", async () => {
    const text = `${prefix}sum${suffix}`;
    const [pre] = sentinels;
    const { usage } = await run(llama, requestFor([pre, { isSentinel: false, text }]));
    expect(await llama.countTokens?.(text, { signal })).toBe(usage.inputTokens - 1);
  });

  it("ends the text before a stop", async () => {
    const free = await run(llama, requestFor(piecesOf("const a = 1;\nconst b = 2;\n", "")));
    const stop = free.text.slice(1, 3);
    const cut = await run(
      llama,
      requestFor(piecesOf("const a = 1;\nconst b = 2;\n", ""), { stop: [stop] }),
    );
    expect(cut.text).toBe(free.text.slice(0, free.text.indexOf(stop)));
  });

  it.each(["llama.cpp", "openai"])("stops generating when %s is left early", async (kind) => {
    const backend = kind === "openai" ? openai : llama;
    for await (const event of backend.complete(endless, { signal })) {
      if (event.kind === "text") break;
    }
    // All 1,500 tokens take the model some 1,500 ms; polling sees how far it came.
    expect(await decodedUntilIdle(server.url)).toBeLessThan(400);
  });

  it("says what it can do when it is asked for that", async () => {
    const options = { http, apiKey: null, model: null };
    const spec = { kind: "llama.cpp", url: server.url } as const;
    const own = await probeBackend(spec, options, { signal });
    expect(own).toMatchObject({ slotCount: 2, extras: { contextTokens: expect.any(Number) } });
    const [model] = own.models;
    const asOpenAi = await probeBackend({ ...spec, kind: "openai" }, options, { signal });
    expect(asOpenAi.extras).toEqual({
      contextTokens: model?.contextTokens,
      hasLogProbabilities: true,
      // It ignores what only vLLM knows instead of refusing it.
      hasConstraints: false,
      hasPriority: false,
      maxStops: null,
      hasUsage: true,
      hasCachedTokens: true,
    });
  });

  it("names its model and refuses a format that is not the model's", async () => {
    expect(await llama.listModels({ signal })).toHaveLength(1);
    const strange = [{ isSentinel: true, text: "<fim-of-nobody>" }];
    await expect(run(llama, requestFor(strange))).rejects.toMatchObject({
      code: "MODEL_WITHOUT_FIM",
    });
  });

  it("fails with one sentence when it dies in the middle of an answer", async () => {
    const stopping: Promise<void>[] = [];
    const dying = (async () => {
      for await (const event of llama.complete(endless, { signal })) {
        if (event.kind === "text" && stopping.length === 0) stopping.push(server.stop());
      }
    })();
    await expect(dying).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
      message: expect.stringContaining(server.url),
    });
  });
});

/** Waits until no slot works; the most tokens that any was seen to have decoded. */
async function decodedUntilIdle(url: string): Promise<number> {
  let decoded = 0;
  for (;;) {
    const response = await fetch(`${url}/slots`);
    const slots = (await response.json()) as {
      is_processing: boolean;
      next_token: { n_decoded: number }[];
    }[];
    for (const slot of slots) {
      decoded = Math.max(decoded, ...(slot.next_token ?? []).map((token) => token.n_decoded));
    }
    if (!slots.some((slot) => slot.is_processing)) return decoded;
  }
}
