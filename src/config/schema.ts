/**
 * The one table of settings. The types, the resolver, the flags of the command line, the manual page
 * and the JSON Schema come from it; defaults stand nowhere else.
 * Keys are dotted lowerCamel; a toggle ends in `.enabled`; a key is never also a namespace; numbers
 * carry their unit. `scope` says whose file may set it: a `user` setting is refused in a workspace's
 * file, because a cloned repository must not choose where code is sent or what is kept from it.
 */

/** What every setting says about itself. */
interface SettingFacts {
  /** Whose `midspan.toml` may set it; a `workspace` setting may stand in both. */
  readonly scope: "user" | "workspace";
  /** Printed as set or not set, never as it is. */
  readonly secret: boolean;
  /** One or more sentences for the manual page. */
  readonly text: string;
  /** What numbers count; `null` for a ratio or where there is no number. */
  readonly unit: string | null;
  /** Older names, still read with a warning. */
  readonly formerly: readonly string[];
  /** In the notation of the command line: `--port <port>`, `--offline`, `--no-open`. */
  readonly flag: SettingFlag | null;
}

/** A flag of the command line that sets a setting. */
export interface SettingFlag {
  readonly usage: string;
  /** `shared`: every command that completes has it; `serve`: that command alone. */
  readonly of: "shared" | "serve";
}

/** One row of the table. Ranges include both ends. */
export type SettingSpec = SettingFacts &
  (
    | { readonly kind: "boolean"; readonly default: boolean }
    | {
        readonly kind: "integer" | "number";
        readonly default: number;
        readonly min: number;
        readonly max: number;
      }
    | {
        readonly kind: "text";
        readonly default: string;
        /** What a value must match; `null` for any text. */
        readonly pattern: string | null;
        /** The pattern in words, for messages; `null` exactly when `pattern` is. */
        readonly expects: string | null;
      }
    | { readonly kind: "choice"; readonly default: string; readonly choices: readonly string[] }
    | { readonly kind: "list"; readonly default: readonly string[] }
  );

export const settingTable = {
  backend: {
    kind: "text",
    default: "none",
    pattern:
      "^(none|auto|(llama\\.cpp|vllm|sglang|openai|ollama|mistral|deepseek|tgi):https?://[^\\s]+)$",
    expects:
      "none, auto or KIND:URL with KIND one of llama.cpp, vllm, sglang, openai, ollama, mistral, deepseek, tgi",
    unit: null,
    scope: "user",
    secret: false,
    text: "The language model server behind the local model: `none`, `auto` (looks at loopback once, at start) or `KIND:URL`, with or without `/v1`.",
    formerly: [],
    flag: { usage: "--backend <none|auto|KIND:URL>", of: "shared" },
  },
  model: {
    kind: "text",
    default: "",
    pattern: null,
    expects: null,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Model id as the backend knows it. Empty: the first one that the backend lists.",
    formerly: [],
    flag: { usage: "--model <id>", of: "shared" },
  },
  format: {
    kind: "text",
    default: "auto",
    pattern: "^[A-Za-z0-9][A-Za-z0-9.+_-]*$",
    expects: "auto or the name of a format family, such as qwen2.5-coder",
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Fill-in-the-middle format family. `auto` takes it from the model's id.",
    formerly: [],
    flag: { usage: "--format <family>", of: "shared" },
  },
  apiKeyFile: {
    kind: "text",
    default: "",
    pattern: null,
    expects: null,
    unit: null,
    scope: "user",
    secret: false,
    text: "A file that holds the backend's key, readable by its owner only. `MIDSPAN_API_KEY` wins over it.",
    formerly: [],
    flag: null,
  },
  "local.enabled": {
    kind: "boolean",
    default: true,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Whether the model without weights indexes the workspace and answers.",
    formerly: [],
    flag: { usage: "--local <on|off>", of: "shared" },
  },
  threshold: {
    kind: "number",
    default: 0.25,
    min: 0,
    max: 1,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Least calibrated chance of being right at which a text is shown. 0 shows everything.",
    formerly: [],
    flag: { usage: "--threshold <0..1>", of: "shared" },
  },
  "offline.enabled": {
    kind: "boolean",
    default: false,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Whether every connection beyond loopback is refused.",
    formerly: [],
    flag: { usage: "--offline", of: "shared" },
  },
  logLevel: {
    kind: "choice",
    default: "warn",
    choices: ["debug", "info", "warn", "error", "off"],
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Least level of the JSON lines on stderr. They never hold source text.",
    formerly: [],
    flag: { usage: "--log-level <level>", of: "shared" },
  },
  "server.host": {
    kind: "text",
    default: "127.0.0.1",
    pattern: "^[^\\s/]+$",
    expects: "a host name or an address",
    unit: null,
    scope: "user",
    secret: false,
    text: "Address to listen on. Anything but loopback needs a token.",
    formerly: [],
    flag: { usage: "--host <address>", of: "serve" },
  },
  "server.port": {
    kind: "integer",
    default: 4477,
    min: 0,
    max: 65535,
    unit: null,
    scope: "user",
    secret: false,
    text: "Port to listen on; 0 takes any free one. Only the default moves on when it is taken.",
    formerly: [],
    flag: { usage: "--port <port>", of: "serve" },
  },
  "server.token": {
    kind: "text",
    default: "",
    pattern: "^[!-~]*$",
    expects: "visible ASCII characters without spaces",
    unit: null,
    scope: "user",
    secret: true,
    text: "Bearer token that callers must send. Empty: none is asked for, on loopback only.",
    formerly: [],
    flag: { usage: "--token <token>", of: "serve" },
  },
  "openBrowser.enabled": {
    kind: "boolean",
    default: true,
    unit: null,
    scope: "user",
    secret: false,
    text: "Whether `serve` opens the playground, if it runs on a terminal with a display.",
    formerly: [],
    flag: { usage: "--no-open", of: "serve" },
  },
  "request.timeoutMs": {
    kind: "integer",
    default: 1500,
    min: 50,
    max: 60000,
    unit: "ms",
    scope: "workspace",
    secret: false,
    text: "Longest wait for the backend's answer.",
    formerly: [],
    flag: null,
  },
  "completion.singleLineTokens": {
    kind: "integer",
    default: 48,
    min: 1,
    max: 512,
    unit: "tokens",
    scope: "workspace",
    secret: false,
    text: "Output limit of a completion of one line, where the caller sets none.",
    formerly: [],
    flag: null,
  },
  "completion.multiLineTokens": {
    kind: "integer",
    default: 200,
    min: 1,
    max: 512,
    unit: "tokens",
    scope: "workspace",
    secret: false,
    text: "Output limit of a completion of several lines, where the caller sets none.",
    formerly: [],
    flag: null,
  },
  "context.totalTokens": {
    kind: "integer",
    default: 4096,
    min: 256,
    max: 131072,
    unit: "tokens",
    scope: "workspace",
    secret: false,
    text: "Prompt and output together, at most; a model with a shorter context length lowers it.",
    formerly: [],
    flag: null,
  },
  "context.prefixTokens": {
    kind: "integer",
    default: 2000,
    min: 64,
    max: 65536,
    unit: "tokens",
    scope: "workspace",
    secret: false,
    text: "Cap on the text before the cursor. What it leaves goes to snippets.",
    formerly: [],
    flag: null,
  },
  "context.suffixTokens": {
    kind: "integer",
    default: 800,
    min: 0,
    max: 65536,
    unit: "tokens",
    scope: "workspace",
    secret: false,
    text: "Cap on the text after the cursor. What it leaves goes to snippets.",
    formerly: [],
    flag: null,
  },
  "cascade.localChance": {
    kind: "number",
    default: 0.5,
    min: 0,
    max: 1,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "From this chance on the local model's answer stands and no backend is asked.",
    formerly: [],
    flag: null,
  },
  "languages.disabled": {
    kind: "list",
    default: [],
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Language ids, such as `markdown`, in which nothing is suggested while typing. Asking by command still works.",
    formerly: [],
    flag: null,
  },
  "index.maxFiles": {
    kind: "integer",
    default: 50000,
    min: 1,
    max: 1000000,
    unit: "files",
    scope: "workspace",
    secret: false,
    text: "The index holds at most this many files, the newest ones.",
    formerly: [],
    flag: null,
  },
  "index.maxFileBytes": {
    kind: "integer",
    default: 1000000,
    min: 1000,
    max: 16000000,
    unit: "bytes",
    scope: "workspace",
    secret: false,
    text: "Larger files are left out.",
    formerly: [],
    flag: null,
  },
  "index.maxTotalBytes": {
    kind: "integer",
    default: 64000000,
    min: 1000000,
    max: 500000000,
    unit: "bytes",
    scope: "workspace",
    secret: false,
    text: "The index holds at most this much text, the newest files first. It takes about three bytes of memory per byte of text.",
    formerly: [],
    flag: null,
  },
  "watch.enabled": {
    kind: "boolean",
    default: true,
    unit: null,
    scope: "workspace",
    secret: false,
    text: "Whether the workspace is watched, so that the index follows saved files.",
    formerly: [],
    flag: null,
  },
  "files.deny": {
    kind: "list",
    default: [],
    unit: null,
    scope: "user",
    secret: false,
    text: "More files that are never read, as patterns of a `.gitignore`. They add to the built-in list of secrets and cannot take from it.",
    formerly: [],
    flag: null,
  },
  "state.maxBytes": {
    kind: "integer",
    default: 2000000000,
    min: 10000000,
    max: 1000000000000,
    unit: "bytes",
    scope: "user",
    secret: false,
    text: "Stored indexes of all workspaces together, at most; the least recently used ones go first.",
    formerly: [],
    flag: null,
  },
} as const;

/** A key of the table. */
export type SettingKey = keyof typeof settingTable;

/** Every setting with its value, typed by the table. Frozen. */
export type Settings = {
  readonly [Key in SettingKey]: SettingValue<(typeof settingTable)[Key]>;
};

type SettingValue<Spec> = Spec extends { readonly kind: "boolean" }
  ? boolean
  : Spec extends { readonly kind: "integer" | "number" }
    ? number
    : Spec extends { readonly kind: "choice"; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Spec extends { readonly kind: "list" }
        ? readonly string[]
        : string;

/** A table of settings; tests bring their own. */
export type SettingTable = Readonly<Record<string, SettingSpec>>;

/** The rows in the order of the table. The annotation makes the compiler check each row. */
export const settingSpecs: SettingTable = settingTable;

/** True for a key of the table. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingTable, key);
}

/** The keys in the order of the table. */
export const settingKeys: readonly SettingKey[] = Object.keys(settingTable).filter(isSettingKey);

/** The flags that a command registers, in the notation of the command line. */
export function settingFlags(
  of: SettingFlag["of"],
): readonly { readonly key: SettingKey; readonly usage: string; readonly text: string }[] {
  return settingKeys.flatMap((key) => {
    const { flag, text }: SettingSpec = settingTable[key];
    return flag?.of === of ? [{ key, usage: flag.usage, text }] : [];
  });
}

/**
 * The environment variable of a setting: `MIDSPAN_` and the flag's name, or the key where there is no
 * flag, in capitals: `MIDSPAN_LOG_LEVEL`, `MIDSPAN_PORT`, `MIDSPAN_REQUEST_TIMEOUT_MS`.
 */
export function variableOf(key: string, spec: SettingSpec): string {
  const flagName = spec.flag === null ? null : flagNameOf(spec.flag.usage).replace(/^no-/, "");
  const words = (flagName ?? key).replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[.-]/g, "_");
  return `MIDSPAN_${words.toUpperCase()}`;
}

/** `log-level` of `--log-level <level>`. */
export function flagNameOf(usage: string): string {
  return (usage.split(" ")[0] ?? "").replace(/^--/, "");
}

/** Variables that are read elsewhere: the state folder, and the key of the backend. */
export const otherVariables = ["MIDSPAN_HOME", "MIDSPAN_API_KEY"] as const;
