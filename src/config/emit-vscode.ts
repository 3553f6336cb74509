/** What the VS Code extension takes from the table of settings. */
import { type SettingSpec, settingSpecs, variableOf } from "./schema.ts";
import { schemaOf } from "./setting-schema.ts";

/** One setting as the extension's own code needs it. */
export interface ExtensionSetting {
  /** With `midspan.` in front it is the key in VS Code. */
  readonly key: string;
  /**
   * The variable in which the server gets it when it is started, for what no workspace may set;
   * `null` for what the server asks for.
   */
  readonly variable: string | null;
}

/** Settings that make sense in an editor: not those of `serve`, whose port and page are its own. */
export function extensionSettings(): readonly ExtensionSetting[] {
  return shown().map(([key, spec]) => ({
    key,
    variable: spec.scope === "user" ? variableOf(key, spec) : null,
  }));
}

/** `contributes.configuration.properties` of the extension's manifest. */
export function extensionProperties(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    shown().map(([key, spec], order) => {
      const { description, ...schema } = schemaOf(spec);
      // `machine`: VS Code takes it from the person's own settings only, never from a repository.
      const scope = spec.scope === "user" ? "machine" : "window";
      const markdownDescription = unitOf(spec, description);
      return [`midspan.${key}`, { ...schema, scope, order, markdownDescription }];
    }),
  );
}

function shown(): readonly (readonly [string, SettingSpec])[] {
  return Object.entries(settingSpecs).filter(
    ([key, { flag }]) => flag?.of !== "serve" && !key.startsWith("server."),
  );
}

function unitOf({ unit }: SettingSpec, description: string): string {
  return unit === null ? description : `${description} In ${unit}.`;
}
