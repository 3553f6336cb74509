import { describe, expect, it } from "vitest";
import { explainSetting, explainSettings, renderExplanation } from "./explain.ts";
import { resolveSettings } from "./resolve.ts";
import { settingKeys } from "./schema.ts";

const resolved = resolveSettings({
  flags: { "server.port": "9000" },
  environment: { MIDSPAN_TOKEN: "s3cret" },
  user: { file: "/users/ada/midspan.toml", values: { languages: { disabled: ["markdown"] } } },
  workspace: null,
});

describe("explainSetting", () => {
  it("says what holds, why, and how to change it", () => {
    expect(renderExplanation(explainSetting(resolved, "server.port"))).toBe(
      [
        "server.port = 9000",
        "  from     --port",
        "  default  4477",
        "  takes    a whole number from 0 to 65535",
        "  set by   --port <port>, MIDSPAN_PORT, your own midspan.toml only",
        "  Port to listen on; 0 takes any free one. Only the default moves on when it is taken.",
      ].join("\n"),
    );
    expect(explainSetting(resolved, "languages.disabled")).toMatchObject({
      value: '["markdown"]',
      origin: "/users/ada/midspan.toml (user)",
    });
  });

  it("shows of a secret only that it is set", () => {
    const all = JSON.stringify(explainSettings(resolved));
    expect(all).not.toContain("s3cret");
    expect(explainSetting(resolved, "server.token")).toMatchObject({
      value: "(set)",
      origin: "MIDSPAN_TOKEN",
    });
  });

  it("names the nearest key when there is no such one", () => {
    expect(() => explainSetting(resolved, "port")).toThrow(
      'unknown setting "port" (did you mean server.port?)',
    );
    expect(explainSettings(resolved).map(({ key }) => key)).toEqual(settingKeys);
  });
});
