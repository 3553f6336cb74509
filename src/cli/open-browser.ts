import { spawn } from "node:child_process";

/** True where a person sits in front of the program: a terminal, and a display to open a page on. */
export function hasDisplay(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (!isTerminal || environment.CI !== undefined || environment.SSH_CONNECTION !== undefined) {
    return false;
  }
  const { DISPLAY, WAYLAND_DISPLAY } = environment;
  return process.platform !== "linux" || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
}

/** Opens a page in the person's browser. A browser that does not start is no failure of ours. */
export function openBrowser(url: string): void {
  const [command, args] =
    process.platform === "darwin"
      ? ["open", [url]]
      : process.platform === "win32"
        ? ["cmd", ["/c", "start", "", url]]
        : ["xdg-open", [url]];
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
