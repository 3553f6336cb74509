/**
 * How well a server is set up for completions, as far as it tells: what its pages say about it, for
 * what its pages do not say what `probeBackend` found out, and for llama.cpp one trial.
 */
import { CompletionError } from "../core/index.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { Connection } from "./connection.ts";
import type { BackendOptions } from "./create-backend.ts";
import { at, numberAt } from "./json-value.ts";
import type { Cancellable, ProbedServer } from "./probed-server.ts";

/** Whether something is on; `unknown` where the server does not tell. */
export interface ServingFact {
  readonly state: "on" | "off" | "unknown";
  /** What was found, and for `off` what to do. */
  readonly text: string;
}

/** The four things that decide about waiting and waste. */
export interface ServingReport {
  /** The beginning of a prompt that was there before is not evaluated again. */
  readonly prefixCaching: ServingFact;
  /** A long prompt of one does not stop the others, and can be given up in between. */
  readonly chunkedPrefill: ServingFact;
  /** What a person waits for goes before what is asked ahead. */
  readonly priority: ServingFact;
  /** The server says how much of a prompt was in its cache. */
  readonly cachedTokens: ServingFact;
}

const notTold: ServingFact = { state: "unknown", text: "not told" };

function fact(isOn: boolean, on: string, off: string): ServingFact {
  return { state: isOn ? "on" : "off", text: isOn ? on : off };
}

/** Asks the server, a few requests at most. Throws as a completion does. */
export async function servingReport(
  spec: BackendSpec,
  probed: ProbedServer,
  options: Pick<BackendOptions, "http" | "apiKey">,
  cancellable: Cancellable,
): Promise<ServingReport> {
  const connection = new Connection({ ...options, url: spec.url });
  switch (spec.kind) {
    case "llama.cpp":
      return llamaCppReport(connection, probed, cancellable);
    case "vllm":
      return vllmReport(connection, probed, cancellable);
    case "sglang":
      return sglangReport(connection, cancellable);
    case "ollama":
      return {
        prefixCaching: { state: "on", text: "as in llama.cpp, which it runs on" },
        chunkedPrefill: notTold,
        priority: { state: "off", text: "it has none" },
        cachedTokens: { state: "off", text: "it reports none" },
      };
    default:
      return {
        prefixCaching: notTold,
        chunkedPrefill: notTold,
        priority: fact(probed.extras.hasPriority === true, "obeyed", "it has none that we know"),
        cachedTokens: fact(probed.extras.hasCachedTokens === true, "reported", "not reported"),
      };
  }
}

/** Longer than what any two requests have in common by chance, and quick to evaluate. */
const trialPrompt = "const first = 1;\nconst second = first + 1;\nconst third = second + 1;\n";

async function llamaCppReport(
  connection: Connection,
  { slotCount }: ProbedServer,
  options: Cancellable,
): Promise<ServingReport> {
  const slots = slotCount ?? 1;
  return {
    prefixCaching: await llamaCppCache(connection, slots, options),
    chunkedPrefill: {
      state: "unknown",
      text: "in batches of -b tokens, which it does not tell; 256 on a processor are right",
    },
    priority: fact(
      slots > 1,
      `by slots, of which it has ${slots}: what is asked ahead need not stand in the way`,
      "one slot only: what is asked ahead stands in the way; start it with -np 2",
    ),
    cachedTokens: { state: "on", text: "reported with each answer" },
  };
}

/** Two requests at one slot, between them one at another: does the first find its prompt again? */
async function llamaCppCache(
  connection: Connection,
  slots: number,
  { signal }: Cancellable,
): Promise<ServingFact> {
  const cachedAt = async (slot: number, prompt: string): Promise<number> => {
    const body = { prompt, n_predict: 1, id_slot: slot, cache_prompt: true, temperature: 0 };
    const call = { path: "/completion", body, model: null, prompt };
    return numberAt(await connection.post(call, { signal }), "timings", "cache_n") ?? 0;
  };
  try {
    await cachedAt(0, trialPrompt);
    if (slots > 1) await cachedAt(1, "a");
    return fact(
      (await cachedAt(0, trialPrompt)) > 0,
      "kept in each slot, also while another one works",
      slots > 1
        ? "an idle slot is emptied when another one works; start it with --no-cache-idle-slots"
        : "a prompt is not found again; start it with --cache-prompt",
    );
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    return { state: "unknown", text: `could not be tried: ${error.message}` };
  }
}

async function vllmReport(
  connection: Connection,
  { extras }: ProbedServer,
  options: Cancellable,
): Promise<ServingReport> {
  // An info metric: `vllm:cache_config_info{enable_prefix_caching="True",…} 1.0`.
  const metrics = await connection.getText("/metrics", options).catch(() => "");
  const isCaching = /^vllm:cache_config_info\{.*enable_prefix_caching="(\w+)"/m.exec(metrics)?.[1];
  return {
    prefixCaching:
      isCaching === undefined
        ? notTold
        : fact(
            isCaching === "True",
            "told by its metrics",
            "start it without --no-enable-prefix-caching",
          ),
    chunkedPrefill: {
      state: "unknown",
      text: "not told; on by default in its engine V1, where --max-num-batched-tokens sets the chunk",
    },
    priority: fact(
      extras.hasPriority === true,
      "obeyed",
      "refused; start it with --scheduling-policy priority",
    ),
    cachedTokens: fact(
      extras.hasCachedTokens === true,
      "reported",
      "not reported; start it with --enable-prompt-tokens-details",
    ),
  };
}

async function sglangReport(connection: Connection, options: Cancellable): Promise<ServingReport> {
  const flags = await connection.get("/get_server_info", options);
  const chunk = numberAt(flags, "chunked_prefill_size");
  const isRadixOff = at(flags, "disable_radix_cache");
  return {
    prefixCaching:
      typeof isRadixOff === "boolean"
        ? fact(!isRadixOff, "the radix cache is on", "start it without --disable-radix-cache")
        : notTold,
    chunkedPrefill:
      chunk === undefined
        ? notTold
        : fact(chunk > 0, `${chunk} tokens at a time`, "start it with --chunked-prefill-size 2048"),
    priority: fact(
      at(flags, "enable_priority_scheduling") === true,
      "obeyed",
      "start it with --enable-priority-scheduling",
    ),
    cachedTokens: fact(
      at(flags, "enable_cache_report") === true,
      "reported",
      "not reported; start it with --enable-cache-report",
    ),
  };
}

/** How we would start each kind of server for completions. */
export const launchLines: readonly { readonly software: string; readonly line: string }[] = [
  {
    software: "llama.cpp, one developer",
    line: "llama-server -m MODEL.gguf --port 8080 -np 2 -c 8192 -b 256 --cache-ram 0 --no-cache-idle-slots --no-webui",
  },
  {
    software: "vLLM, a team",
    line: "vllm serve MODEL --port 8000 --max-model-len 8192 --max-num-batched-tokens 2048 --scheduling-policy priority --enable-prompt-tokens-details",
  },
  {
    software: "SGLang, a team",
    line: "python -m sglang.launch_server --model-path MODEL --port 30000 --context-length 8192 --chunked-prefill-size 2048 --enable-priority-scheduling --enable-cache-report --enable-metrics",
  },
];
