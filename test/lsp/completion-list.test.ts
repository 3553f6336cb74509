/** Editors that draw no inline completion are offered the text in their completion list. */
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../src/testing/fake-clock.ts";
import { example, LspClient } from "./lsp-client.ts";

const asked = {
  textDocument: { uri: example.uri },
  position: example.position,
  context: { triggerKind: 1 },
};

interface Listed {
  readonly isIncomplete: boolean;
  readonly items: readonly { readonly command: { readonly arguments: readonly string[] } }[];
}

describe("textDocument/completion", () => {
  it("is announced to a client that says nothing of inline completion, and to no other", async () => {
    const announced: unknown[] = [];
    for (const params of [
      {},
      // As Emacs' lsp-mode says that it knows the request.
      { capabilities: { textDocument: { inlineCompletion: null } } },
      { initializationOptions: { editorInfo: { name: "Editor", version: "1" } } },
    ]) {
      const client = new LspClient();
      const { capabilities } = (await client.initialize(params)) as {
        readonly capabilities: { readonly completionProvider?: unknown };
      };
      announced.push(capabilities.completionProvider ?? null);
      await client.leave();
    }
    expect(announced).toEqual([{ triggerCharacters: [".", "(", " "] }, null, null]);
  });

  it("answers with an entry that replaces the word before the cursor", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    expect(await client.request("textDocument/completion", asked)).toEqual({
      isIncomplete: true,
      items: [
        {
          label: "computeTotal(items);",
          detail: "Midspan",
          filterText: "computeTotal(items);",
          sortText: " ",
          textEdit: {
            range: { start: { line: 1, character: 16 }, end: example.position },
            newText: "computeTotal(items);",
          },
          insertTextMode: 1,
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

  it("lists nothing for a plugin that introduced itself later, and draws texts by itself", async () => {
    const client = new LspClient();
    await client.initialize();
    client.openExample();
    await client.request("setEditorInfo", { editorInfo: { name: "Editor", version: "1" } });
    expect(await client.request<Listed>("textDocument/completion", asked)).toMatchObject({
      items: [],
    });
    await client.leave();
  });

  it("counts an entry when it is taken; nobody knows whether it was seen before", async () => {
    const clock = new FakeClock();
    const client = new LspClient({ clock });
    await client.initialize();
    client.openExample();
    const { items } = await client.request<Listed>("textDocument/completion", asked);
    await clock.advance(1_000);
    expect(client.told).toEqual([]);
    const [id = ""] = items[0]?.command.arguments ?? [];
    const command = { command: "midspan.didAcceptCompletion", arguments: [id] };
    expect(await client.request("workspace/executeCommand", command)).toBe(true);
    expect(client.told.map(({ what }) => what)).toEqual(["accepted"]);
    await client.leave();
  });
});
