/** Events of one process: the journal, what was learned from it, and what `stats` says about it. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hashText } from "../base/hash.ts";
import type { Settings } from "../config/schema.ts";
import {
  type Adaptation,
  type Clock,
  CompletionError,
  type Log,
  noAdaptation,
  retentionSeconds,
  type TelemetryEvent,
} from "../core/index.ts";
import { Telemetry } from "../engine/index.ts";
import type { StateFolders } from "../host/state-folders.ts";
import type { StatsReply } from "../protocol/stats.ts";
import { toStatsReply } from "../server/stats-reply.ts";
import { usageReport } from "../stats/usage.ts";
import {
  AdaptationSource,
  dayOf,
  Journal,
  openInstallation,
  readJournal,
  recordsOf,
} from "../store/index.ts";
import { version } from "./version.ts";

const DAY_MS = 86_400_000;

/** Where the journal lies. */
export function eventsFolder(folders: StateFolders): string {
  return join(folders.data, "events");
}

/** Records the events of one engine. */
export interface EventRecorder {
  readonly telemetry: Telemetry;
  /** Resolves when all events so far are kept. Rejects as `storageError`. */
  flush(): Promise<void>;
  /** Why events cannot be kept now; `null` while they can. */
  failure(): CompletionError | null;
  /** Writes what waits. Never rejects. */
  close(): Promise<void>;
}

/** `null` where events are switched off, and, with a line in the log, where they cannot be kept. */
export async function openEventRecorder(options: {
  readonly settings: Settings;
  readonly folders: StateFolders;
  readonly clock: Clock;
  readonly log: Log;
  /** Who asks, where nobody says: `http`, `lsp`. */
  readonly client: string;
  /** Told why they cannot be kept, where they are wanted. */
  readonly onUnavailable: (error: CompletionError) => void;
  /** Told of each event, for metrics. */
  readonly observe?: (event: TelemetryEvent) => void;
}): Promise<EventRecorder | null> {
  const { settings, folders, clock, log, client, onUnavailable, observe = () => {} } = options;
  if (!settings["events.enabled"]) return null;
  const folder = eventsFolder(folders);
  const session = randomBytes(6).toString("hex");
  const wallNow = (): number => Date.now();
  try {
    const { install, hashPath } = await openInstallation(join(folder, "installation.json"));
    const journal = new Journal({
      folder,
      session,
      days: settings["events.keptDays"],
      maxBytes: settings["events.maxBytes"],
      wallNow,
      onFailure: (error) => log.warn(notKept(error), { code: error.code }),
    });
    const telemetry = new Telemetry({
      clock,
      wallNow,
      install,
      session,
      client,
      configuration: configurationHash(settings),
      hashPath,
      sink: {
        record: (event) => {
          observe(event);
          journal.record(event);
        },
      },
    });
    return {
      telemetry,
      flush: () => journal.flush(),
      failure: () => journal.failure,
      close: () => journal.close(),
    };
  } catch (error) {
    if (!(error instanceof CompletionError)) throw error;
    log.warn(notKept(error), { code: error.code });
    onUnavailable(error);
    return null;
  }
}

/** Why notes of what becomes of texts are lost, for people. */
export function notKept({ message }: CompletionError): string {
  return `new events are not kept: ${message}; completions go on`;
}

/** What was learned of the person; `null` where learning is switched off. */
export function adaptationSource(
  settings: Settings,
  folders: StateFolders,
): AdaptationSource | null {
  const isOn = settings["events.enabled"] && settings["adapt.enabled"];
  return isOn ? new AdaptationSource(eventsFolder(folders)) : null;
}

/** What the journal says about the last `days` days. */
export async function readStats(
  settings: Settings,
  folders: StateFolders,
  days: number,
): Promise<StatsReply> {
  const source = adaptationSource(settings, folders);
  const [events, adaptation] = await Promise.all([
    readJournal(eventsFolder(folders), { sinceMs: Date.now() - days * DAY_MS }),
    learned(source),
  ]);
  return toStatsReply(usageReport(recordsOf(events), { dayOf, lookSeconds: retentionSeconds }), {
    days,
    isEnabled: settings["events.enabled"],
    isAdapting: source !== null,
    adaptation,
  });
}

async function learned(source: AdaptationSource | null): Promise<Adaptation> {
  await source?.refresh();
  return source?.adaptation ?? noAdaptation;
}

/** Equal for settings that lead to equal answers: events under different ones are not compared. */
function configurationHash(settings: Settings): string {
  const keys = [
    "model",
    "format",
    "chat.enabled",
    "local.enabled",
    "threshold",
    "cascade.localChance",
    "completion.singleLineTokens",
    "completion.multiLineTokens",
    "completion.balanced.enabled",
    "context.enabled",
    "context.sources",
    "context.copied.enabled",
    "context.embeddingsModel",
    "context.totalTokens",
    "context.prefixTokens",
    "context.suffixTokens",
    "healing.enabled",
    "syntax.enabled",
    "adapt.enabled",
  ] as const;
  const kind = settings.backend.split(":", 1);
  return hashText(JSON.stringify([version, kind, keys.map((key) => settings[key])]));
}
