import { createServer } from "node:net";
import { expect, it } from "vitest";
import { processListeningOn, residentBytes } from "./process-memory.ts";

it.runIf(process.platform === "linux")(
  "finds the process behind a port and its memory",
  async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const pid = await processListeningOn(port);
    await new Promise((resolve) => server.close(resolve));
    expect(pid).toBe(process.pid);
    expect(await residentBytes(process.pid)).toBeGreaterThan(10e6);
    expect(await processListeningOn(port)).toBe(null);
  },
);

it("has no figure for a process that is not there", async () => {
  expect(await residentBytes(2 ** 30)).toBe(null);
});
