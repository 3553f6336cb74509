/**
 * What `bench latency` and `bench capacity` measure: the local model, a server that runs, or a GGUF
 * file for which a llama-server is started.
 */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { parseBackendSpec } from "../backend/index.ts";
import { isLoopbackHost } from "../base/loopback.ts";
import { resolveSettings } from "../config/resolve.ts";
import type { Settings } from "../config/schema.ts";
import type { FimFormat, FimOrder } from "../core/index.ts";
import type { Engine, LanguageModel } from "../engine/index.ts";
import { InferenceUnavailableError, startInferenceServer } from "../eval/inference-server.ts";
import type { LatencyTarget, OpenTarget } from "../eval/latency/latency-bench.ts";
import { processListeningOn, residentBytes } from "../eval/latency/process-memory.ts";
import { systemClock } from "../host/clock.ts";
import { createHttpClient } from "../host/http-client.ts";
import { findLlamaServer } from "../host/llama-server-command.ts";
import { createLog } from "../host/log.ts";
import type { LocalModel } from "../local/index.ts";
import { UsageError } from "./exit.ts";
import { createLanguageModel } from "./language-model.ts";
import { notice } from "./notice.ts";
import { evaluationEngine, inOrder, UNHURRIED_TIMEOUT_MS } from "./replay-engine.ts";
import { timeLimit } from "./time-limit.ts";

const LIST_MS = 10_000;

/** A target as it was typed: `WHAT[,name=TEXT][,model=ID][,format=FAMILY][,order=psm|spm1|spm2]`. */
export interface TargetSpec {
  readonly what:
    | { readonly kind: "local" }
    | { readonly kind: "server"; readonly backend: string }
    | { readonly kind: "file"; readonly path: string };
  readonly name: string;
  readonly model: string;
  readonly format: string;
  readonly order: FimOrder | null;
}

const orders: readonly FimOrder[] = ["psm", "spm1", "spm2"];

/** How a llama-server is started for a file. */
export interface ServerSize {
  readonly slots: number;
  readonly slotTokens: number;
}

/** Takes the text of `--target` apart. Throws `UsageError` that says what to type. */
export function parseTarget(text: string): TargetSpec {
  const [what = "", ...options] = text.split(",");
  const given = new Map<string, string>();
  for (const option of options) {
    const [key = "", value = ""] = option.split(/=(.*)/s);
    if (!["name", "model", "format", "order"].includes(key) || value === "") {
      throw new UsageError(
        `${JSON.stringify(option)} says nothing about a target; write name=, model=, format= or order=`,
      );
    }
    given.set(key, value);
  }
  const order = orders.find((known) => known === given.get("order")) ?? null;
  if (given.has("order") && order === null) {
    throw new UsageError(`${given.get("order")} is no order; write ${orders.join(", ")}`);
  }
  const rest = { model: given.get("model") ?? "", format: given.get("format") ?? "auto", order };
  const named = (name: string): string => given.get("name") ?? name;
  if (what === "local") return { what: { kind: "local" }, name: named("local model"), ...rest };
  if (/\.gguf$/i.test(what)) {
    const name = named(basename(what).replace(/\.gguf$/i, ""));
    return { what: { kind: "file", path: what }, name, ...rest };
  }
  // Throws for what is no server either, with the right way to write it.
  parseBackendSpec(what);
  const name = named(rest.model === "" ? what : rest.model);
  return { what: { kind: "server", backend: what }, name, ...rest };
}

/** As `parseTarget` for all of them; throws `UsageError` for a file that is not there, too. */
export function parseTargets(texts: readonly string[]): readonly TargetSpec[] {
  const specs = texts.map(parseTarget);
  for (const { what } of specs) {
    if (what.kind !== "file") continue;
    if (statSync(what.path, { throwIfNoEntry: false })?.isFile() === true) continue;
    throw new UsageError(
      `there is no model file ${resolve(what.path)}, so there is nothing to measure; midspan model list shows what is here, midspan model pull NAME fetches a model`,
    );
  }
  return specs;
}

/** The target for the benches; nothing is started before `open`. */
export function benchTarget(spec: TargetSpec, size: ServerSize): LatencyTarget {
  const open = (): Promise<OpenTarget> => {
    switch (spec.what.kind) {
      case "local":
        return openLocal();
      case "server":
        return openServer(spec, { backend: spec.what.backend, pid: null, stop: async () => {} });
      case "file":
        return openFile(spec, spec.what.path, size);
    }
  };
  return { name: spec.name, open };
}

/** Shows everything that passes the filters, yet is a threshold. */
const ANY_CHANCE = 1e-9;

async function openLocal(): Promise<OpenTarget> {
  const settings = usualSettings({});
  return {
    backend: "none",
    model: "local model",
    template: null,
    languageModel: null,
    createEngine: ({ local }) => createEngine({ settings, local, model: null }),
    memoryBytes: () => residentBytes(process.pid),
    close: async () => {},
  };
}

async function openFile(spec: TargetSpec, path: string, size: ServerSize): Promise<OpenTarget> {
  const command = findLlamaServer({
    setting: usualSettings({}).llamaServer,
    environment: process.env,
    platform: process.platform,
  });
  if (command === null) {
    throw new InferenceUnavailableError(
      "there is no llama-server; install llama.cpp, or set MIDSPAN_LLAMA_SERVER to its command",
    );
  }
  const server = await startInferenceServer({
    command,
    model: path,
    slots: size.slots,
    contextTokens: size.slotTokens,
    // Threads wait for each other: with one less than cores, a busy core stops none of them.
    threads: Math.max(1, availableParallelism() - 1),
    batchTokens: 256,
  });
  const { url, pid, stop } = server;
  try {
    return await openServer(spec, { backend: `llama.cpp:${url}`, pid, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openServer(
  spec: TargetSpec,
  server: {
    readonly backend: string;
    readonly pid: number | null;
    readonly stop: () => Promise<void>;
  },
): Promise<OpenTarget> {
  const settings = usualSettings({
    backend: server.backend,
    model: spec.model,
    format: spec.format,
  });
  const http = createHttpClient({ isOffline: false });
  try {
    const model = await createLanguageModel({
      ...{ workspace: "bench", settings, http, own: null },
      log: createLog({ level: "error" }),
      observe: (backend) => backend,
      ...{ onNotice: notice, onWarning: notice, isNewAddress: async () => true },
    });
    if (model === null) throw new UsageError(`${server.backend} names no server`);
    // A server that is down is found out now, not by fifty failed requests.
    const who = `${model.backend.address} did not list its models`;
    const signal = timeLimit(LIST_MS, { who, next: "look at its log" });
    await model.backend.listModels({ signal });
    const ordered = { ...model, format: inOrder(model.format, spec.order) };
    return {
      backend: model.backend.kind,
      model: model.id,
      template: templateOf(ordered.format),
      languageModel: ordered,
      createEngine: ({ observe }) =>
        createEngine({
          settings,
          local: null,
          model: { ...ordered, backend: observe(model.backend) },
        }),
      memoryBytes: async () => {
        const pid = server.pid ?? (await localProcess(model.backend.address));
        return pid === null ? null : residentBytes(pid);
      },
      close: async () => {
        await http.close();
        await server.stop();
      },
    };
  } catch (error) {
    await http.close();
    throw error;
  }
}

/** The process behind an address on this machine; `null` for one elsewhere. */
async function localProcess(address: string): Promise<number | null> {
  if (!URL.canParse(address)) return null;
  const { hostname, port, protocol } = new URL(address);
  if (!isLoopbackHost(hostname)) return null;
  return processListeningOn(port === "" ? (protocol === "https:" ? 443 : 80) : Number(port));
}

function createEngine(parts: {
  readonly settings: Settings;
  readonly local: LocalModel | null;
  readonly model: LanguageModel | null;
}): Engine {
  return evaluationEngine({
    ...parts,
    settings: {
      ...parts.settings,
      threshold: ANY_CHANCE,
      "request.timeoutMs": UNHURRIED_TIMEOUT_MS,
      "prefetch.enabled": false,
      "warmUp.enabled": false,
    },
    clock: systemClock,
  });
}

function usualSettings(flags: Readonly<Record<string, string>>): Settings {
  const sources = { environment: process.env, user: null, workspace: null };
  return resolveSettings({ ...sources, flags }).settings;
}

function templateOf(format: FimFormat): string {
  return format.fim === "client" ? `${format.family} ${format.order}` : format.family;
}
