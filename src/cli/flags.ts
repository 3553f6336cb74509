import type { SettingKey } from "../config/schema.ts";

/** Settings that a command line gave, by key: the text after the flag, or a boolean for a switch. */
export type Flags = Partial<Record<SettingKey, string | boolean>>;
