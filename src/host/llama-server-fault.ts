/** Why a llama-server did not start, from its last words. Words of llama.cpp 0.4 to 0.7. */

/** What can be done about it. */
export type StartFault =
  /** It does not know a flag; without it, it may start. */
  | { readonly kind: "flag"; readonly flag: string }
  /** Somebody else took the port in the meantime. */
  | { readonly kind: "port" }
  /** `says` follows the name of the program, and names the next step. */
  | { readonly kind: "fault"; readonly says: string };

export function startFault(log: string, ended: string): StartFault {
  const flag = /invalid argument: (--?[\w-]+)/.exec(log)?.[1];
  if (flag !== undefined) return { kind: "flag", flag };
  if (/couldn't bind|address already in use/i.test(log)) return { kind: "port" };
  return { kind: "fault", says: saysOf(log, ended) };
}

function saysOf(log: string, ended: string): string {
  if (/unable to allocate|failed to allocate|out of memory|OutOfDeviceMemory/i.test(log)) {
    return "found not enough memory for the model; take a smaller one (midspan model recommend), or set models.gpu.enabled to off";
  }
  if (/failed to open GGUF file|No such file/i.test(log)) {
    return "does not find the model file; it must see the same folders as midspan does";
  }
  const architecture = /unknown model architecture: '?([\w-]+)/.exec(log)?.[1];
  if (architecture !== undefined) {
    return `does not know models of the kind ${architecture}; install a newer llama.cpp`;
  }
  if (/failed to load model|error loading model/i.test(log)) {
    return `cannot load the model (${lastError(log)}); fetch it again or take another`;
  }
  const words = lastError(log);
  if (/^(does not exist|cannot be started)/.test(ended)) {
    return `${ended}; name the program with MIDSPAN_LLAMA_SERVER`;
  }
  return words === ""
    ? `${ended} without a word; run its command by hand`
    : `${ended} (${words}); run its command by hand`;
}

/** The last line that is an error, without time and place; of errors on loading the first. */
function lastError(log: string): string {
  const lines = log.split("\n").map((line) =>
    line
      .replace(/^[\d.]+ [DIWE] /, "")
      .replace(/^[\w ()]{1,40}: /, "")
      .trim(),
  );
  const cause = lines.find((line) =>
    /error loading model: (?!.*failed to load model from)/.test(line),
  );
  const line = cause ?? lines.findLast((each) => /error|fail|cannot|unable/i.test(each)) ?? "";
  return line.replace(/[\p{C}\s]+/gu, " ").slice(0, 160);
}
