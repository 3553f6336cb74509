/** The older messages of existing plugins, as they document them. */
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../src/testing/fake-clock.ts";
import { codeOf, example, LspClient } from "./lsp-client.ts";

const doc = { uri: example.uri, version: 1, position: example.position, tabSize: 2, _: true };

interface Completion {
  readonly uuid: string;
  readonly displayText: string;
}

describe("getCompletions", () => {
  it("answers with the line, what comes after the cursor, and the range", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    const range = { start: { line: 1, character: 0 }, end: example.position };
    const expected = {
      completions: [
        {
          uuid: expect.any(String),
          text: "  const total = computeTotal(items);",
          displayText: "uteTotal(items);",
          ...{ range, position: example.position, docVersion: 1 },
        },
      ],
    };
    expect(await client.request("getCompletions", { doc })).toEqual(expected);
    expect(await client.request("getCompletionsCycling", { doc })).toEqual(expected);
    await client.leave();
  });

  it("answers the second of two that are asked at once, as Sublime's plugin asks", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    // Only the second answer is shown; the first may be overtaken.
    const [, shown] = await Promise.all([
      client.request("getCompletions", { doc }),
      client.request("getCompletionsCycling", { doc }),
    ]);
    expect(shown).toMatchObject({ completions: [{ displayText: "uteTotal(items);" }] });
    await client.leave();
  });

  it("answers another version with an empty list, no error", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample(2);
    expect(await client.request("getCompletions", { doc })).toEqual({ completions: [] });
    await client.leave();
  });

  it("refuses what is no question", async () => {
    const client = new LspClient();
    await client.initialize();
    expect(await codeOf(client.request("getCompletions", { doc: { uri: 1 } }))).toBe(-32602);
    expect(await codeOf(client.request("getCompletions"))).toBe(-32602);
    await client.leave();
  });

  it("in a panel answers by notifications", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    const asked = await client.request("getPanelCompletions", { doc, panelId: "p" });
    expect(asked).toEqual({ solutionCountTarget: 1 });
    expect(client.heard.map(({ method }) => method)).toEqual([
      "PanelSolution",
      "PanelSolutionsDone",
    ]);
    await client.leave();
  });
});

describe("textDocument/copilotPanelCompletion", () => {
  it("answers with items to take, as for somebody who asked by a command", async () => {
    const client = new LspClient();
    await client.initialize({ initializationOptions: { editorInfo: { name: "E" } } });
    client.openExample();
    const params = { textDocument: { uri: example.uri }, position: example.position };
    expect(await client.request("textDocument/copilotPanelCompletion", params)).toEqual({
      items: [
        {
          insertText: "  const total = computeTotal(items);",
          range: { start: { line: 1, character: 0 }, end: example.position },
          command: {
            title: "Completion Accepted",
            command: "midspan.didAcceptCompletion",
            arguments: [expect.any(String)],
          },
        },
      ],
    });
    await client.leave();
  });
});

describe("notifyShown, notifyAccepted, notifyRejected", () => {
  it("tell what became of a completion; a length that falls short is a part", async () => {
    // Time stands still, so that nothing is inferred.
    const client = new LspClient({ clock: new FakeClock() });
    await client.initialize();
    client.openExample();
    const { completions } = await client.request<{ completions: Completion[] }>("getCompletions", {
      doc,
    });
    const uuid = completions[0]?.uuid ?? "";
    expect(await client.request("notifyShown", { uuid })).toBe("OK");
    expect(await client.request("notifyAccepted", { uuid, acceptedLength: 8 })).toBe("OK");
    expect(await client.request("notifyAccepted", { uuid })).toBe("OK");
    expect(await client.request("notifyRejected", { uuids: [uuid, "unknown"] })).toBe("OK");
    expect(client.told.map(({ what }) => what)).toEqual([
      "shown",
      "acceptedPartly",
      "accepted",
      "rejected",
    ]);
    await client.leave();
  });
});

describe("questions about an account", () => {
  it("are answered as for somebody who is signed in", async () => {
    const client = new LspClient();
    await client.initialize();
    const answers: Record<string, unknown> = {};
    for (const method of [
      "setEditorInfo",
      "checkStatus",
      "checkFileStatus",
      "signIn",
      "signInInitiate",
      "signInConfirm",
      "getVersion",
    ]) {
      answers[method] = await client.request(method, {});
    }
    expect(answers).toEqual({
      setEditorInfo: "OK",
      checkStatus: { status: "OK", user: "midspan" },
      checkFileStatus: { status: "included" },
      signIn: { status: "AlreadySignedIn", user: "midspan" },
      signInInitiate: { status: "AlreadySignedIn", user: "midspan" },
      signInConfirm: { status: "OK", user: "midspan" },
      getVersion: {
        version: "1.2.3",
        buildType: "prod",
        runtimeVersion: `node/${process.versions.node}`,
      },
    });
    await client.leave();
  });
});
