import { modelSettings } from "./model-settings.ts";
import { requestSettings } from "./request-settings.ts";
import { servingSettings } from "./serving-settings.ts";
import { workspaceSettings } from "./workspace-settings.ts";

/**
 * The one table of settings, in four files by what they are about. The types, the resolver, the flags
 * of the command line, the manual page and the JSON Schema come from it; defaults stand nowhere else.
 * `SettingSpec` says what a row holds.
 * Keys are dotted lowerCamel; a toggle ends in `.enabled`; a key is never also a namespace; numbers
 * carry their unit. `scope` says whose file may set it: a `user` setting is refused in a workspace's
 * file, because a cloned repository must not choose where code is sent or what is kept from it.
 */
export const settingTable: typeof modelSettings &
  typeof servingSettings &
  typeof requestSettings &
  typeof workspaceSettings = {
  ...modelSettings,
  ...servingSettings,
  ...requestSettings,
  ...workspaceSettings,
};
