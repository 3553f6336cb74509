/** Runs a command of this program in a process of its own and reads the JSON that it prints. */
import { spawn } from "node:child_process";
import { present } from "../base/assert.ts";

/**
 * Resolves to what the command printed, parsed; its messages go to our stderr. Rejects when it ends
 * with anything but 0 or prints no JSON.
 */
export async function runInOwnProcess(args: readonly string[]): Promise<unknown> {
  const program = present(process.argv[1], "the path of the program");
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`midspan ${args.join(" ")} ended with ${code}`);
  return JSON.parse(output);
}
