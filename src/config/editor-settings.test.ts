import { expect, it } from "vitest";
import { resolveSettings } from "./resolve.ts";

const nothing = { flags: {}, environment: {}, user: null, workspace: null };

it("lets an editor's settings win over files, and flags over them", () => {
  const editor = { file: "the settings of Editor", values: { threshold: 0.5 } };
  const user = { file: "midspan.toml", values: { threshold: 0.1 } };
  const resolved = resolveSettings({ ...nothing, user, editor });
  expect(resolved.settings.threshold).toBe(0.5);
  expect(resolved.origins.threshold).toEqual({ kind: "editor", file: editor.file });
  const flagged = resolveSettings({ ...nothing, flags: { threshold: "0.75" }, user, editor });
  expect(flagged.settings.threshold).toBe(0.75);
});

it("lets no editor say where code is sent, since it may pass on what a repository says", () => {
  const values = { backend: "openai:http://example.org" };
  const editor = { file: "the settings of Editor", values };
  const { settings, warnings } = resolveSettings({ ...nothing, editor });
  expect(settings.backend).toBe("auto");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("an editor cannot set it");
});
