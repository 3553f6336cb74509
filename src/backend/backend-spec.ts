/** Which server: the text `KIND:URL` of `--backend`. */
import { CompletionError } from "../core/index.ts";

/** Each kind of server with an address as people type it. */
const examples = {
  "llama.cpp": "http://127.0.0.1:8080",
  vllm: "http://127.0.0.1:8000",
  sglang: "http://127.0.0.1:30000",
  openai: "http://127.0.0.1:1234",
  ollama: "http://127.0.0.1:11434",
  mistral: "https://api.mistral.ai",
  deepseek: "https://api.deepseek.com",
  tgi: "http://127.0.0.1:3000",
} as const;

/** A kind of server that an adapter exists for. */
export type BackendKind = keyof typeof examples;

/** A server and how to talk to it. */
export interface BackendSpec {
  readonly kind: BackendKind;
  /** http or https, as it was typed. */
  readonly url: string;
}

/** Every kind, as in the setting `backend`. */
export const adapterKinds: readonly BackendKind[] = Object.keys(examples).filter(isKind);

/** Takes `KIND:URL` apart. Throws `CONFIG_INVALID` with what to type instead. */
export function parseBackendSpec(text: string): BackendSpec {
  const colon = text.indexOf(":");
  const kind = colon < 0 ? text : text.slice(0, colon);
  const url = colon < 0 ? "" : text.slice(colon + 1);
  if (!isKind(kind)) {
    const isUrl = kind === "http" || kind === "https";
    throw invalid(
      isUrl
        ? `${shown(text)} does not say what kind of server it is; write openai:${shown(text)}, or another KIND of ${kindList}`
        : `${shown(text)} is no backend; write KIND:URL with KIND one of ${kindList}, such as llama.cpp:${examples["llama.cpp"]}`,
    );
  }
  if (url === "") throw invalid(`${kind} needs an address; write ${kind}:${examples[kind]}`);
  if (!/^https?:\/\//i.test(url)) {
    const guess = `http://${url.replace(/^[a-z]*:?\/+/i, "")}`;
    throw invalid(
      `${shown(url)} is no address; write ${kind}:${URL.canParse(guess) ? shown(guess) : examples[kind]}`,
    );
  }
  if (!URL.canParse(url)) {
    throw invalid(`${shown(url)} is no address; write for example ${kind}:${examples[kind]}`);
  }
  return { kind, url };
}

const kindList = Object.keys(examples).join(", ");

function isKind(kind: string): kind is BackendKind {
  return Object.hasOwn(examples, kind);
}

/** Without what may be a password in front of the host. */
function shown(text: string): string {
  return text.replace(/\/\/[^/@]*@/, "//…@").slice(0, 120);
}

function invalid(message: string): CompletionError {
  return new CompletionError("CONFIG_INVALID", message);
}
