/**
 * Prometheus metrics. Few labels, none of them a user, a document or a path; the words are those of
 * outcomes and reasons everywhere else. The share of the local model is the share of `source`.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import {
  type ErrorCode,
  eventTypes,
  noCompletionReasons,
  type TelemetryEvent,
  type TriggerKind,
  type Usage,
} from "../core/index.ts";
import type { EngineResult, ModelUse } from "../engine/index.ts";

/** From an answer out of memory to the longest wait that a backend is given. */
const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2.5, 5,
];

/** How a call to a backend ended. */
export type BackendCallOutcome = "done" | "aborted" | "error";

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<"trigger" | "outcome" | "source">;
  readonly #durations: Histogram<"source">;
  readonly #none: Counter<"reason">;
  readonly #errors: Counter<"code">;
  readonly #tokens: Counter<"kind">;
  readonly #backendRequests: Counter<"backend" | "outcome">;
  readonly #events: Counter<"type">;
  readonly #acceptedChars: Counter;
  #hasProcessMetrics = false;

  constructor() {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: "midspan_requests_total",
      help: "Completion requests by how they ended: produced, none, cancelled or error",
      labelNames: ["trigger", "outcome", "source"],
      registers,
    });
    this.#durations = new Histogram({
      name: "midspan_request_duration_seconds",
      help: "Time from the whole body to the answer, of requests that produced or ended in none",
      labelNames: ["source"],
      buckets: durationBuckets,
      registers,
    });
    this.#none = new Counter({
      name: "midspan_none_total",
      help: "Requests that ended without a text, by reason",
      labelNames: ["reason"],
      registers,
    });
    for (const reason of noCompletionReasons) this.#none.inc({ reason }, 0);
    this.#errors = new Counter({
      name: "midspan_errors_total",
      help: "Error answers by code, malformed requests included",
      labelNames: ["code"],
      registers,
    });
    this.#tokens = new Counter({
      name: "midspan_tokens_total",
      help: "Tokens as the backend counted them, else by us: input, cached (part of input) and output",
      labelNames: ["kind"],
      registers,
    });
    for (const kind of ["input", "cached", "output"]) this.#tokens.inc({ kind }, 0);
    this.#backendRequests = new Counter({
      name: "midspan_backend_requests_total",
      help: "Requests sent to model servers by how they ended: done, aborted or error",
      labelNames: ["backend", "outcome"],
      registers,
    });
    this.#events = new Counter({
      name: "midspan_events_total",
      help: "Events by type: shown, accepted, rejected, ignored, retained and the ends of requests",
      labelNames: ["type"],
      registers,
    });
    for (const type of eventTypes) this.#events.inc({ type }, 0);
    this.#acceptedChars = new Counter({
      name: "midspan_accepted_characters_total",
      help: "UTF-16 units of accepted text",
      registers,
    });
  }

  /** A request ended in a result. */
  finished(trigger: TriggerKind, result: EngineResult, durationMs: number): void {
    const { outcome } = result;
    const source = result.source ?? "none";
    const word = outcome.kind === "completion" ? "produced" : "none";
    this.#requests.inc({ trigger, outcome: word, source });
    this.#durations.observe({ source }, durationMs / 1000);
    if (outcome.kind === "none") this.#none.inc({ reason: outcome.reason });
    this.#countTokens(result.usage);
  }

  /** A request ended without a result: the client went away, or something failed. */
  broken(trigger: TriggerKind, outcome: "cancelled" | "error"): void {
    this.#requests.inc({ trigger, outcome, source: "none" });
  }

  /** An error answer was sent. */
  errorSent(code: ErrorCode): void {
    this.#errors.inc({ code });
  }

  /** A call to a model server ended. `backend` is its kind. */
  backendCalled(backend: string, outcome: BackendCallOutcome): void {
    this.#backendRequests.inc({ backend, outcome });
  }

  /** An event was noted. */
  eventRecorded(event: TelemetryEvent): void {
    this.#events.inc({ type: event.type });
    if (event.type === "accepted" || event.type === "accepted_partial") {
      this.#acceptedChars.inc(event.chars);
    }
  }

  /** Adds the gauges `midspan_inflight` and `midspan_queued`, read at each scrape. Call once. */
  watchLoad(load: { readonly inFlight: number; readonly queued: number }): void {
    const gauge = (name: string, help: string, read: () => number): Gauge =>
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read());
        },
      });
    gauge("midspan_inflight", "Requests that the engine works on", () => load.inFlight);
    gauge("midspan_queued", "Requests that wait for the engine", () => load.queued);
  }

  /** Adds the counters of the cascade, read at each scrape; none without a language model. Call once. */
  watchModel(read: () => ModelUse | null): void {
    const registers = [this.#registry];
    const counter = (
      name: string,
      help: string,
      labels: { readonly name: string; readonly of: (use: ModelUse) => Record<string, number> },
    ): Counter =>
      new Counter({
        name,
        help,
        labelNames: [labels.name],
        registers,
        collect() {
          const use = read();
          this.reset();
          if (use === null) return;
          for (const [value, count] of Object.entries(labels.of(use))) {
            this.inc({ [labels.name]: value }, count);
          }
        },
      });
    counter(
      "midspan_keys_total",
      "Automatic requests, by whether they sent a request to the language model",
      {
        name: "model",
        of: ({ keys, asked }) => ({ asked, not_asked: keys - asked }),
      },
    );
    counter(
      "midspan_model_answers_total",
      "Ended requests to the language model: in_time, late (after the next key or the caller left) or failed (the time limit too)",
      {
        name: "timing",
        of: ({ ended, late, failed }) => ({ in_time: ended - late - failed, late, failed }),
      },
    );
  }

  /** Content type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text of all metrics. */
  text(): Promise<string> {
    // The process metrics watch the event loop a hundred times a second: not before somebody asks.
    if (!this.#hasProcessMetrics) this.#addProcessMetrics();
    this.#hasProcessMetrics = true;
    return this.#registry.metrics();
  }

  /** The library counts CPU time from now on; what the process has used so far belongs to it. */
  #addProcessMetrics(): void {
    const { user, system } = process.cpuUsage();
    collectDefaultMetrics({ register: this.#registry });
    const used = { cpu_user: user, cpu_system: system, cpu: user + system };
    for (const [kind, micros] of Object.entries(used)) {
      const counter = this.#registry.getSingleMetric(`process_${kind}_seconds_total`);
      if (counter instanceof Counter) counter.inc(micros / 1e6);
    }
  }

  #countTokens(usage: Usage): void {
    if (usage.inputTokens > 0) this.#tokens.inc({ kind: "input" }, usage.inputTokens);
    if (usage.cachedTokens > 0) this.#tokens.inc({ kind: "cached" }, usage.cachedTokens);
    if (usage.outputTokens > 0) this.#tokens.inc({ kind: "output" }, usage.outputTokens);
  }
}
