import { fileErrorCode } from "../host/file-error.ts";

/**
 * Lets the program outlive its readers. `midspan config | head -1` closes the pipe early, which is no
 * failure; output that is lost for another reason, such as a full disk, makes the exit code 1. What
 * goes to stderr may get lost: there is nowhere to say so.
 */
export function tolerateLostOutput(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error) => {
    if (fileErrorCode(error) === "EPIPE") return;
    process.once("exit", () => {
      process.exitCode ||= 1;
    });
  });
}
