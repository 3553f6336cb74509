import { describe, expect, it } from "vitest";
import { settingFlags, settingKeys, settingSpecs, variableOf } from "./schema.ts";
import { checkValue } from "./value.ts";

const rows = Object.entries(settingSpecs);

describe("the table of settings", () => {
  it("names keys by the rules of the house", () => {
    const faults = rows.filter(([key, spec]) => {
      const isLowerCamel = key.split(".").every((part) => /^[a-z][A-Za-z]*$/.test(part));
      const isToggle = key.endsWith(".enabled");
      return !isLowerCamel || isToggle !== (spec.kind === "boolean");
    });
    expect(faults).toEqual([]);
  });

  it("uses no key as a namespace", () => {
    const faults = settingKeys.filter((key) =>
      settingKeys.some((other) => other.startsWith(`${key}.`)),
    );
    expect(faults).toEqual([]);
  });

  it("carries the unit in the name of a number that has one", () => {
    const suffix: Record<string, RegExp> = {
      ms: /Ms$/,
      bytes: /Bytes$/,
      tokens: /Tokens$/,
      files: /Files$/,
      threads: /Threads$/,
      days: /Days$/,
    };
    const faults = rows.filter(
      ([key, spec]) => spec.unit !== null && !suffix[spec.unit]?.test(key),
    );
    expect(faults).toEqual([]);
  });

  it("has defaults that pass their own check", () => {
    const faults = rows.filter(([, spec]) => checkValue(spec, spec.default).kind === "refused");
    expect(faults).toEqual([]);
  });

  it("says beside a switch what the switch does", () => {
    const texts = [...settingFlags("shared"), ...settingFlags("serve")]
      .filter(({ usage }) => !usage.includes("<"))
      .map(({ usage, text }) => `${usage}: ${text}`);
    expect(texts).toEqual([
      "--chat: Ask a model that cannot fill in the middle by chat instead of refusing it.",
      "--offline: Refuse every connection beyond loopback.",
      "--no-open: Do not open the playground in a browser.",
    ]);
  });

  it("gives each setting its own variable and flag", () => {
    const variables = rows.map(([key, spec]) => variableOf(key, spec));
    expect(new Set(variables).size).toBe(rows.length);
    expect(variables).toContain("MIDSPAN_LOG_LEVEL");
    expect(variables).toContain("MIDSPAN_REQUEST_TIMEOUT_MS");
    expect(variables).toContain("MIDSPAN_OPEN");
    const flags = [...settingFlags("shared"), ...settingFlags("serve")].map(({ usage }) => usage);
    expect(flags.map((usage) => usage.split(" ")[0])).toEqual([
      "--backend",
      "--model",
      "--format",
      "--chat",
      "--local",
      "--threshold",
      "--offline",
      "--log-level",
      "--host",
      "--port",
      "--token",
      "--no-open",
    ]);
  });

  it("keeps from a workspace what decides where code and keys go", () => {
    const keys = rows.filter(([, spec]) => spec.scope === "user").map(([key]) => key);
    expect(keys).toEqual([
      "backend",
      "chat.enabled",
      "apiKeyFile",
      "llamaServer",
      "models.folder",
      "models.mirror",
      "models.maxThreads",
      "models.gpu.enabled",
      "server.host",
      "server.port",
      "server.token",
      "openBrowser.enabled",
      "context.copied.enabled",
      "context.embeddings",
      "context.embeddingsModel",
      "files.deny",
      "state.maxBytes",
      "events.enabled",
      "events.keptDays",
      "events.maxBytes",
      "adapt.enabled",
    ]);
  });

  it("takes backends of every kind, and nothing else", () => {
    const kinds = ["llama.cpp", "vllm", "sglang", "openai", "ollama", "mistral", "deepseek", "tgi"];
    const good = ["none", "auto", ...kinds.map((kind) => `${kind}:http://127.0.0.1:8080/v1`)];
    const bad = ["", "local", "openai", "openai:127.0.0.1", "openai:ftp://x", "bedrock:http://x"];
    const check = (value: string): string => checkValue(settingSpecs.backend, value).kind;
    expect([good.map(check), bad.map(check)]).toEqual([
      good.map(() => "value"),
      bad.map(() => "refused"),
    ]);
  });
});
