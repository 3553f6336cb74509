/** The command `midspan lsp`. */
import { type Command, InvalidArgumentError } from "commander";
import type { ProgramParts } from "./model-program.ts";
import { positiveInteger } from "./number-flags.ts";
import { httpUrl } from "./url-flag.ts";

/** Adds `lsp`. */
export function addLspCommand(program: Command, parts: ProgramParts): void {
  const { withSettings, flagsOf, end } = parts;
  const lsp = program
    .command("lsp")
    .description("serve an editor by the Language Server Protocol")
    .option("--stdio", "talk over stdin and stdout; the default")
    .option("--socket <port>", "listen on 127.0.0.1 instead; 0 takes any free port", portNumber)
    .option(
      "--server <url>",
      "let a running midspan serve answer, and go on alone without it",
      httpUrl,
    )
    .option(
      "--clientProcessId <pid>",
      "end when this process is gone, as the one that started us",
      positiveInteger,
    );
  withSettings(lsp, "shared").action(async () => {
    const { lspCommand } = await import("./lsp.ts");
    const { socket, server, clientProcessId } = lsp.opts();
    end(
      await lspCommand({
        port: socket ?? null,
        server: server ?? null,
        parentId: clientProcessId ?? null,
        flags: flagsOf(lsp),
      }),
    );
  });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || 65_535 < port) {
    throw new InvalidArgumentError("It is not a port (0..65535).");
  }
  return port;
}
