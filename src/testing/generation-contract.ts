/** What a model in our own process must do, whichever library runs it: one suite. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  BackendEvent,
  BackendRequest,
  FinishReason,
  Log,
  PromptPiece,
  Usage,
} from "../core/index.ts";
import type { EmbeddedBackend } from "../host/embedded/embedded-backend.ts";

/** A model to be tried, and prompts for it in pieces, with the cursor at the end of `cursorPiece`. */
export interface GenerationSubject {
  readonly start: (log: Log) => Promise<EmbeddedBackend>;
  readonly contextTokens: number;
  /** Answered with some ten tokens and the end. */
  readonly short: GenerationPrompt;
  /** Answered without end. */
  readonly endless: GenerationPrompt;
  /** The same prompt with this text before its cursor. */
  readonly around: (before: string) => GenerationPrompt;
}

export interface GenerationPrompt {
  readonly pieces: readonly PromptPiece[];
  readonly cursorPiece: number;
}

/** An answer in one piece. */
export interface GeneratedAnswer {
  readonly text: string;
  readonly logProbabilities: readonly (number | undefined)[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

/** A greedy request with these changes. */
export function generationRequest(
  { pieces, cursorPiece }: GenerationPrompt,
  changes: Partial<BackendRequest> = {},
): BackendRequest {
  const text = pieces.map((piece) => piece.text).join("");
  return {
    model: "",
    prompt: { kind: "rendered", text, pieces, cursorPiece, tokens: 1 },
    maxTokens: 32,
    temperature: 0,
    stop: [],
    ...changes,
  };
}

/** Runs a request to its end. */
export async function generate(
  backend: EmbeddedBackend,
  request: BackendRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<GeneratedAnswer> {
  const events: BackendEvent[] = [];
  for await (const event of backend.complete(request, { signal })) events.push(event);
  const done = events.at(-1);
  if (done?.kind !== "done") throw new Error("an answer ends with done");
  const texts = events.flatMap((event) => (event.kind === "text" ? [event] : []));
  expect(texts).toHaveLength(events.length - 1);
  return {
    text: texts.map(({ text }) => text).join(""),
    logProbabilities: texts.map(({ logProbability }) => logProbability),
    finishReason: done.finishReason,
    usage: done.usage,
  };
}

/** Counts of answers that were given up, as the log has them. */
interface GivenUpAnswer {
  readonly outputTokens: number;
}

export function describeGenerationContract(name: string, subject: GenerationSubject): void {
  describe(`${name} obeys the contract of models in a process of ours`, () => {
    let backend: EmbeddedBackend;
    const givenUp: GivenUpAnswer[] = [];
    const log: Log = {
      debug: (_, fields) => givenUp.push(fields as unknown as GivenUpAnswer),
      info: () => {},
      warn: () => {},
      error: () => {},
    };
    const { short, endless, around } = subject;
    const run = (
      prompt: GenerationPrompt,
      changes: Partial<BackendRequest> = {},
      signal?: AbortSignal,
    ): Promise<GeneratedAnswer> => generate(backend, generationRequest(prompt, changes), signal);
    /** Reads one piece of an endless answer, then does something. */
    const during = async (
      act: (controller: AbortController) => void,
      changes: Partial<BackendRequest> = {},
    ): Promise<void> => {
      const controller = new AbortController();
      const request = generationRequest(endless, { maxTokens: 1_000, ...changes });
      let isFirst = true;
      for await (const _ of backend.complete(request, { signal: controller.signal })) {
        if (isFirst) act(controller);
        isFirst = false;
      }
    };

    beforeAll(async () => {
      backend = await subject.start(log);
    });
    afterAll(async () => {
      await backend?.close();
    });

    it("says what it can do", async () => {
      expect(backend.capabilities).toEqual({
        fim: "client",
        logProbabilities: true,
        cachedTokens: true,
        contextTokens: subject.contextTokens,
        maxStops: null,
        forcedPrefix: true,
        grammar: true,
        priority: true,
        cacheSalt: false,
        tokenize: true,
      });
      const { signal } = new AbortController();
      expect(await backend.listModels({ signal })).toHaveLength(1);
    });

    it("writes the same text again, and then has the prompt but its last token in the cache", async () => {
      const first = await run(short);
      const again = await run(short);
      expect(first.text).not.toBe("");
      expect(first.finishReason).toBe("stop");
      const cachedTokens = first.usage.inputTokens - 1;
      expect(again).toEqual({ ...first, usage: { ...first.usage, cachedTokens } });
    });

    it("evaluates what was typed and no more", async () => {
      await run(around("const alpha = 1;\nconst beta = "), { maxTokens: 1 });
      for (const typed of ["al", "alp", "alpha", "alpha + ", "alpha"]) {
        const { usage } = await run(around(`const alpha = 1;\nconst beta = ${typed}`), {
          maxTokens: 1,
        });
        expect(usage.inputTokens - usage.cachedTokens).toBeLessThanOrEqual(10);
      }
    });

    it("evaluates a prompt ahead without writing anything", async () => {
      const prompt = around("// something quite different\n");
      const warm = await run(prompt, { maxTokens: 0 });
      expect(warm).toMatchObject({ text: "", finishReason: "length", usage: { outputTokens: 0 } });
      const { usage } = await run(prompt);
      expect(usage.cachedTokens).toBe(usage.inputTokens - 1);
    });

    it("says whether the token limit ended the text", async () => {
      const { finishReason, usage } = await run(endless, { maxTokens: 3 });
      expect(finishReason).toBe("length");
      expect(usage.outputTokens).toBe(3);
    });

    it("ends the text before a stop, and gives back what only began like one", async () => {
      const free = await run(short);
      const stop = free.text.slice(2, 4);
      const cut = await run(short, { stop: [stop] });
      expect(cut.text).toBe(free.text.slice(0, free.text.indexOf(stop)));
      expect(cut.finishReason).toBe("stop");
      const almost = await run(short, { stop: [`${free.text.slice(-2)}\0`] });
      expect(almost.text).toBe(free.text);
    });

    it.each(["retu", 'zébra\n\t"q\\', "x", "    "])(
      "begins with %j when that is demanded",
      async (forced) => {
        const { text, usage } = await run(short, { forcedPrefix: forced });
        expect(text.slice(0, forced.length)).toBe(forced);
        // After blanks alone no more of them follow.
        if (forced.trim() === "") expect(text.slice(forced.length)).not.toMatch(/^\s/);
        // The cache is in order afterwards.
        const again = await run(short, { forcedPrefix: forced });
        expect(again.text).toBe(text);
        expect(again.usage.cachedTokens).toBe(usage.inputTokens - 1);
      },
    );

    it("keeps to a grammar and refuses one that is none", async () => {
      const { text } = await run(short, { grammar: 'root ::= "ab" [a-z ]+', maxTokens: 5 });
      expect(text.slice(0, 2)).toBe("ab");
      await expect(run(short, { grammar: "nonsense" })).rejects.toMatchObject({
        code: "BACKEND_REFUSED",
      });
    });

    it("gives log-probabilities when they are asked for, and the same text", async () => {
      const plain = await run(short);
      const asked = await run(short, { logProbabilities: true });
      expect(asked.text).toBe(plain.text);
      expect(plain.logProbabilities.every((value) => value === undefined)).toBe(true);
      expect(asked.logProbabilities.length).toBeGreaterThan(0);
      for (const value of asked.logProbabilities) expect(value).toBeLessThanOrEqual(0);
    });

    it("takes fewer steps with a right draft, and writes the same with a wrong one", async () => {
      const plain = await run(short);
      const right = await run(short, { drafts: [plain.text] });
      expect(right.text).toBe(plain.text);
      expect(right.usage.decodeSteps).toBeLessThan(plain.usage.decodeSteps ?? 0);
      const wrong = await run(short, { drafts: ["zzz 123 zzz", plain.text.slice(0, 4), ""] });
      expect(wrong.text).toBe(plain.text);
    });

    it("takes a sentinel in a file for text", async () => {
      const fake = await run(around("<|fim_middle|>"));
      const real = await run(around(""));
      expect(fake.usage.inputTokens).toBeGreaterThan(real.usage.inputTokens + 3);
    });

    it("counts tokens as it counts a prompt", async () => {
      const [one] = short.pieces;
      const piece = { isSentinel: false, text: "const größe = 1;\n" };
      const pieces = one === undefined ? [piece] : [one, piece];
      const { usage } = await run({ pieces, cursorPiece: 1 }, { maxTokens: 1 });
      const { signal } = new AbortController();
      expect(await backend.countTokens?.(piece.text, { signal })).toBe(usage.inputTokens - 1);
    });

    it("names the sentinel that the model does not have", async () => {
      const pieces = [{ isSentinel: true, text: "<fim-of-nobody>" }];
      await expect(run({ pieces, cursorPiece: 0 })).rejects.toMatchObject({
        code: "MODEL_WITHOUT_FIM",
        message: expect.stringContaining("<fim-of-nobody>"),
      });
    });

    it("refuses a prompt that is longer than its context and takes the next one", async () => {
      const long = around("const a = 1;\n".repeat(subject.contextTokens));
      await expect(run(long)).rejects.toMatchObject({ code: "CONTEXT_TOO_SMALL" });
      expect((await run(short)).text).not.toBe("");
    });

    it("throws the reason at once when the signal aborts, and stops soon", async () => {
      givenUp.length = 0;
      const reason = new Error("typed on");
      let came = 0;
      const controller = new AbortController();
      const request = generationRequest(endless, { maxTokens: 1_000 });
      const reading = (async () => {
        for await (const event of backend.complete(request, { signal: controller.signal })) {
          if (event.kind === "text" && ++came === 3) controller.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      await run(short);
      expect(givenUp).toHaveLength(1);
      // How many steps fit into the way of the message depends on the model.
      expect(givenUp[0]?.outputTokens).toBeLessThan(400);
    });

    it("stops when the loop is left early", async () => {
      givenUp.length = 0;
      const { signal } = new AbortController();
      for await (const event of backend.complete(generationRequest(endless, { maxTokens: 1_000 }), {
        signal,
      })) {
        expect(event.kind).toBe("text");
        break;
      }
      await run(short);
      expect(givenUp[0]?.outputTokens).toBeLessThan(400);
    });

    it("does nothing when the signal has aborted before", async () => {
      const reason = new Error("too late");
      await expect(run(short, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it("drops a request that waits for its turn when it is given up", async () => {
      const reason = new Error("typed on");
      const first = run(endless, { maxTokens: 40 });
      const controller = new AbortController();
      const waiting = run(short, {}, controller.signal);
      const last = run(short);
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      expect((await first).usage.outputTokens).toBe(40);
      expect((await last).text).not.toBe("");
    });

    it("lets what is asked ahead wait for what a person waits for", async () => {
      const order: string[] = [];
      const ahead = run(endless, { maxTokens: 60, priority: "prefetch" }).then((answer) => {
        order.push("ahead");
        return answer;
      });
      const asked = run(endless, { maxTokens: 60 }).then((answer) => {
        order.push("asked");
        return answer;
      });
      expect((await ahead).text).toBe((await asked).text);
      expect(order).toEqual(["asked", "ahead"]);
    });

    it("keeps the cache of a person's requests apart from what is asked ahead", async () => {
      await run(short);
      await run(around("// something else entirely\n"), { priority: "prefetch" });
      const { usage } = await run(short);
      expect(usage.cachedTokens).toBe(usage.inputTokens - 1);
    });

    it("answers the next request when its process is killed in the middle of one", async () => {
      const before = backend.processId;
      await expect(
        during(() => process.kill(backend.processId ?? 0, "SIGKILL")),
      ).rejects.toMatchObject({
        code: "BACKEND_UNREACHABLE",
        message: expect.stringMatching(/SIGKILL.*started again$/),
      });
      expect((await run(short)).text).not.toBe("");
      expect(backend.processId).not.toBe(before);
    });

    it("answers nothing after it was closed", async () => {
      const other = await subject.start(log);
      const asked = generate(other, generationRequest(endless, { maxTokens: 1_000 }));
      const failed = expect(asked).rejects.toMatchObject({ code: "BACKEND_UNREACHABLE" });
      await other.close();
      await failed;
      await expect(generate(other, generationRequest(short))).rejects.toMatchObject({
        code: "BACKEND_UNREACHABLE",
      });
      expect(other.processId).toBeNull();
    });
  });
}
