/** Small things that the contract of backends is written with. */
import { expect } from "vitest";
import type { Backend, BackendEvent, BackendRequest, CompletionError } from "../core/index.ts";

/** A line of a person's code that must never stand in a message. */
export const source = "const secretRecipe = 'flour, water, salt and thirty hours of time';\n";

/** A request in the form that the backend takes. */
export function requestFor(
  backend: Backend,
  changes: Partial<BackendRequest> = {},
): BackendRequest {
  const suffix = "\nexport { secretRecipe };\n";
  return {
    model: "test-model",
    prompt:
      backend.capabilities.fim === "server"
        ? { kind: "parts", prefix: source, suffix, tokens: 40 }
        : {
            kind: "rendered",
            text: `<|fim_prefix|>${source}<|fim_suffix|>${suffix}<|fim_middle|>`,
            pieces: [
              { isSentinel: true, text: "<|fim_prefix|>" },
              { isSentinel: false, text: source },
              { isSentinel: true, text: "<|fim_suffix|>" },
              { isSentinel: false, text: suffix },
              { isSentinel: true, text: "<|fim_middle|>" },
            ],
            tokens: 40,
          },
    maxTokens: 32,
    temperature: 0,
    stop: [],
    ...changes,
  };
}

export async function all(events: AsyncIterable<BackendEvent>): Promise<BackendEvent[]> {
  const list: BackendEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

export function textOf(events: readonly BackendEvent[]): string {
  return events.map((event) => (event.kind === "text" ? event.text : "")).join("");
}

/** One sentence that names the server and what to do next. */
export function expectSentence(error: CompletionError, url: string): void {
  expect(error.message).toContain(url);
  expect(error.message).toMatch(/[^.\s]$/);
  expect(error.message).not.toContain("\n");
  expect(error.message).not.toContain("undefined");
  expect(error.message.length).toBeLessThan(500);
}

export function fieldNames(value: unknown): string[] {
  return Object.entries(value as Record<string, unknown>).flatMap(([name, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? [name, ...fieldNames(inner).map((nested) => `${name}.${nested}`)]
      : [name],
  );
}
