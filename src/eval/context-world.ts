/** What the context benches need from the program; the command line hands it in. */
import type { Backend, ContextSource, SnippetKind } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import type { SourceFile } from "./source-file.ts";

/** The files of one repository, indexed in memory. */
export interface ContextWorld {
  /** A source that looks for these kinds only, with no document seen yet. */
  createSource(kinds: readonly SnippetKind[]): ContextSource;
  /** True when another file than `path` defines the name, and `path` does not. */
  isDefinedElsewhere(name: string, path: string): boolean;
}

/** Makes worlds, and engines over them as `serve` does. */
export interface ContextParts {
  createWorld(files: readonly SourceFile[]): Promise<ContextWorld>;
  /** `context` is `null` for prompts without any. */
  createEngine(parts: {
    readonly backend: Backend;
    readonly context: ContextSource | null;
  }): Engine;
}
