import { describe, expect, it } from "vitest";
import type { SettingSources } from "./layers.ts";
import { resolveSettings, resolveTable } from "./resolve.ts";
import { type SettingSpec, settingKeys, settingSpecs } from "./schema.ts";

const nothing: SettingSources = { flags: {}, environment: {}, user: null, workspace: null };

function user(values: Record<string, unknown>): SettingSources["user"] {
  return { file: "/users/ada/midspan.toml", values };
}

function workspace(values: Record<string, unknown>): SettingSources["workspace"] {
  return { file: "/code/app/midspan.toml", values };
}

function messageOf(sources: Partial<SettingSources>): string {
  try {
    resolveSettings({ ...nothing, ...sources });
  } catch (error) {
    expect(error).toMatchObject({ name: "CompletionError", code: "CONFIG_INVALID" });
    return error instanceof Error ? error.message : "";
  }
  return "nothing was thrown";
}

describe("resolveSettings", () => {
  it("takes every default from the table", () => {
    const { settings, origins, warnings } = resolveSettings(nothing);
    const defaults = settingKeys.map((key) => [key, settingSpecs[key].default]);
    expect(settings).toEqual(Object.fromEntries(defaults));
    expect(new Set(Object.values(origins).map((origin) => origin.kind))).toEqual(
      new Set(["default"]),
    );
    expect(warnings).toEqual([]);
  });

  it("lets flags win over variables, those over the user's file, that over the workspace's", () => {
    const layers = [
      { workspace: workspace({ threshold: 0.1 }) },
      { user: user({ threshold: 0.2 }) },
      { environment: { MIDSPAN_THRESHOLD: "0.3" } },
      { flags: { threshold: "0.4" } },
    ];
    const results = layers.map((_, index) => {
      const sources = Object.assign({}, nothing, ...layers.slice(0, index + 1));
      const { settings, origins } = resolveSettings(sources);
      return [settings.threshold, origins.threshold];
    });
    expect(results).toEqual([
      [0.1, { kind: "workspace", file: "/code/app/midspan.toml" }],
      [0.2, { kind: "user", file: "/users/ada/midspan.toml" }],
      [0.3, { kind: "environment", variable: "MIDSPAN_THRESHOLD" }],
      [0.4, { kind: "flag", flag: "--threshold" }],
    ]);
  });

  it("reads the texts of flags and variables", () => {
    const { settings } = resolveSettings({
      ...nothing,
      flags: { "local.enabled": "off", "openBrowser.enabled": false, "offline.enabled": true },
      environment: {
        MIDSPAN_PORT: " 9000 ",
        MIDSPAN_LANGUAGES_DISABLED: "markdown, plaintext,",
        MIDSPAN_MODEL: "",
        MIDSPAN_HOME: "/tmp/x",
        PATH: "/bin",
      },
    });
    expect({
      local: settings["local.enabled"],
      open: settings["openBrowser.enabled"],
      offline: settings["offline.enabled"],
      port: settings["server.port"],
      disabled: settings["languages.disabled"],
      model: settings.model,
    }).toEqual({
      local: false,
      open: false,
      offline: true,
      port: 9000,
      disabled: ["markdown", "plaintext"],
      model: "",
    });
  });

  it("ignores what a workspace's file may not set, and says so", () => {
    const { settings, warnings } = resolveSettings({
      ...nothing,
      workspace: workspace({
        backend: "openai:http://evil.example",
        apiKeyFile: "/etc/passwd",
        files: { deny: [] },
        server: { token: "known", host: "0.0.0.0" },
        model: "fine",
      }),
    });
    expect(settings.backend).toBe("auto");
    expect(settings["server.token"]).toBe("");
    expect(settings["server.host"]).toBe("127.0.0.1");
    expect(settings.model).toBe("fine");
    expect(warnings).toHaveLength(5);
    expect(warnings[0]).toBe(
      "backend in /code/app/midspan.toml is ignored: a workspace's file cannot set it; use your own midspan.toml, MIDSPAN_BACKEND or --backend",
    );
  });

  it("refuses unknown keys with the nearest known one, all at once", () => {
    const message = messageOf({
      user: user({ thresold: 0.3, server: { prot: 1 }, offline: true, zebra: 1 }),
      workspace: workspace({ threshold: { value: 1 } }),
    });
    expect(message.split("; ")).toEqual([
      'threshold in /code/app/midspan.toml must be a number from 0 to 1, not {"value":1}',
      'unknown key "thresold" (did you mean threshold?) in /users/ada/midspan.toml',
      'unknown key "server.prot" (did you mean server.port?) in /users/ada/midspan.toml',
      'unknown key "offline" (did you mean offline.enabled?) in /users/ada/midspan.toml',
      'unknown key "zebra" in /users/ada/midspan.toml',
    ]);
  });

  it("names what is out of range, also under a layer that wins", () => {
    expect(messageOf({ flags: { threshold: "0.5" }, user: user({ threshold: 2 }) })).toBe(
      "threshold in /users/ada/midspan.toml must be a number from 0 to 1, not 2",
    );
    expect(messageOf({ flags: { "server.port": "0x50" } })).toBe(
      '--port must be a whole number from 0 to 65535, not "0x50"',
    );
    expect(messageOf({ environment: { MIDSPAN_LOG_LEVEL: "loud" } })).toBe(
      'MIDSPAN_LOG_LEVEL must be one of debug, info, warn, error, off, not "loud"',
    );
    expect(messageOf({ flags: { backend: "openai:ftp://x" } })).toMatch(/^--backend must be none/);
  });

  it("never prints a secret", () => {
    const message = messageOf({ user: user({ server: { token: "white space" } }) });
    expect(message).toContain("server.token in /users/ada/midspan.toml must be visible ASCII");
    expect(message).not.toContain("white space");
  });

  it("warns of a variable that it does not know, because others may use the prefix", () => {
    const { warnings } = resolveSettings({ ...nothing, environment: { MIDSPAN_TRESHOLD: "1" } });
    expect(warnings).toEqual([
      'unknown variable "MIDSPAN_TRESHOLD" (did you mean MIDSPAN_THRESHOLD?) is ignored',
    ]);
  });

  it("freezes what it returns", () => {
    const resolved = resolveSettings(nothing);
    expect([resolved, resolved.settings, resolved.origins].every(Object.isFrozen)).toBe(true);
  });

  it("does not take names of the object prototype for keys", () => {
    expect(messageOf({ user: user({ constructor: 1 }) })).toContain('unknown key "constructor"');
  });
});

describe("resolveTable", () => {
  it("reads a former name with a warning", () => {
    const spec: SettingSpec = {
      kind: "integer",
      default: 1,
      min: 0,
      max: 9,
      unit: null,
      scope: "workspace",
      secret: false,
      text: "",
      formerly: ["old.name"],
      flag: null,
    };
    const { values, warnings } = resolveTable(
      { "new.name": spec },
      { ...nothing, user: user({ old: { name: 5 } }) },
    );
    expect(values).toEqual({ "new.name": 5 });
    expect(warnings).toEqual(["old.name in /users/ada/midspan.toml is now called new.name"]);
  });
});
