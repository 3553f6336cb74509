/** Every address that these settings may ever contact: for `midspan doctor` and its reader. */

import { parseBackendSpec, usualPorts } from "../backend/index.ts";
import { isLoopbackHost } from "../base/loopback.ts";
import type { Settings } from "../config/schema.ts";

/** One address, when it is contacted and what it is sent. */
export interface ContactedAddress {
  readonly address: string;
  /** What for, as the rest of a sentence. */
  readonly purpose: string;
  /** False when it cannot leave this machine. */
  readonly isBeyond: boolean;
}

/** The addresses, those of key presses first. Beyond this machine none are left with `--offline`. */
export function contactedAddresses(settings: Settings): readonly ContactedAddress[] {
  const all = [
    ...backendAddress(settings),
    ...embeddingsAddress(settings),
    {
      address: new URL(settings["models.mirror"]).origin,
      purpose: "midspan model list and pull: names and files of models, only when you run them",
    },
    {
      address: "the package registry that npm is set to",
      purpose: "midspan model engine install: its packages, only when you run it",
    },
  ].map((one) => ({ ...one, isBeyond: isBeyond(one.address) }));
  return settings["offline.enabled"] ? all.filter(({ isBeyond }) => !isBeyond) : all;
}

function backendAddress({ backend }: Settings): { address: string; purpose: string }[] {
  if (backend === "none") return [];
  if (backend === "auto") {
    return [
      {
        address: `127.0.0.1 (ports ${usualPorts.join(", ")})`,
        purpose: "looking once, at the start, for model servers, and then completions",
      },
    ];
  }
  const { url } = parseBackendSpec(backend);
  return [
    {
      address: new URL(url).origin,
      purpose: "the code around the cursor, for completions; what its models can do",
    },
  ];
}

function embeddingsAddress(settings: Settings): { address: string; purpose: string }[] {
  const url = settings["context.embeddings"];
  if (url === "" || !settings["context.enabled"]) return [];
  const purpose = "the code of the workspace, for a search by meaning";
  return [{ address: new URL(url).origin, purpose }];
}

function isBeyond(address: string): boolean {
  if (URL.canParse(address)) return !isLoopbackHost(new URL(address).hostname);
  return !address.startsWith("127.0.0.1");
}
