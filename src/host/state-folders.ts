import { isAbsolute, join } from "node:path";

/** Where everything lies that Midspan stores. Nothing of it is ever inside a workspace by default. */
export interface StateFolders {
  /** What can be made again: indexes. */
  readonly cache: string;
  /** What cannot: models that were fetched, events. */
  readonly data: string;
  /** The person's own `midspan.toml`. */
  readonly configFile: string;
}

/** What the place depends on; tests bring their own. */
export interface Machine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
}

/**
 * `MIDSPAN_HOME` if it is set; else the folders of the platform: XDG on Linux, `~/Library` on macOS,
 * `%LOCALAPPDATA%` and `%APPDATA%` on Windows. Nothing is created.
 */
export function stateFolders({ environment, platform, homeFolder }: Machine): StateFolders {
  const own = environment.MIDSPAN_HOME;
  if (own !== undefined && own !== "") {
    return foldersUnder(join(own, "cache"), join(own, "data"), own);
  }
  // The XDG specification says that relative paths are to be ignored; so do we on every platform.
  const from = (variable: string, ...otherwise: string[]): string => {
    const value = environment[variable];
    const base = value !== undefined && isAbsolute(value) ? value : join(homeFolder, ...otherwise);
    return join(base, "midspan");
  };
  switch (platform) {
    case "win32": {
      const local = from("LOCALAPPDATA", "AppData", "Local");
      return foldersUnder(
        join(local, "cache"),
        join(local, "data"),
        from("APPDATA", "AppData", "Roaming"),
      );
    }
    case "darwin": {
      const support = join(homeFolder, "Library", "Application Support", "midspan");
      return foldersUnder(join(homeFolder, "Library", "Caches", "midspan"), support, support);
    }
    default:
      return foldersUnder(
        from("XDG_CACHE_HOME", ".cache"),
        from("XDG_DATA_HOME", ".local", "share"),
        from("XDG_CONFIG_HOME", ".config"),
      );
  }
}

function foldersUnder(cache: string, data: string, config: string): StateFolders {
  return { cache, data, configFile: join(config, "midspan.toml") };
}
