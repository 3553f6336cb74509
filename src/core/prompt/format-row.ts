/**
 * The shape of a row of the format table: what a family of models was trained to see.
 *
 * Orders: `psm` prefix, suffix, middle; `spm1` the suffix with its sentinel first, then the prefix
 * with its own; `spm2` both sentinels, the suffix, the middle sentinel, and the prefix last, so that
 * the text that is generated goes on where the prefix ends.
 */
import type { VocabularySize } from "./tokens.ts";

/** In which order the parts stand; see the head of this file. */
export type FimOrder = "psm" | "spm1" | "spm2";

/** How the table's first-match list is cut: a row per family. */
export type FormatRow = FimFormat | NoFimRow;

/** A row that completions can be asked with. */
export type FimFormat = ClientFimFormat | ServerFimFormat;

/** We write the prompt with the family's sentinels. */
export interface ClientFimFormat {
  readonly fim: "client";
  readonly family: string;
  readonly match: RegExp;
  /** What is used unless somebody asks for another: suffix first where a proven string was trained. */
  readonly order: FimOrder;
  /** Text with `{prefix}` and `{suffix}`, for each order that can be asked for. */
  readonly templates: Readonly<Partial<Record<FimOrder, string>>>;
  /** Orders among `templates` that the model never saw; they work only in principle. */
  readonly untrained: readonly FimOrder[];
  readonly sentinels: {
    readonly prefix: string;
    readonly suffix: string;
    /** `null` where nothing stands between the last part and what is generated. */
    readonly middle: string | null;
  };
  /** Begin-of-text token. Servers' tokenizers add it; write it only where the tokenizer is bypassed. */
  readonly bos: string | null;
  /** What ends the text if it shows up in it, the most frequent first; sentinels included. */
  readonly stops: readonly string[];
  /** Control tokens of the family as a tokenizer finds them in text. Never in text of a user. */
  readonly specials: readonly string[];
  /** How other files and the path are laid out; `null` where nothing was trained. */
  readonly files: FileForm | null;
  /** Stops that only apply when other files are in the prompt. */
  readonly contextStops: readonly string[];
  /** Prompt and output together, of the smallest model of the family; `null` when unknown. */
  readonly contextTokens: number | null;
  readonly vocabulary: VocabularySize;
  readonly licence: string;
  readonly note: string;
}

/** The parts around the fill-in-the-middle text. Slots: repository, path, content, comment, language, mode. */
export interface FileForm {
  /**
   * When it is written: always; as soon as the path is known; when repository and path are known, or
   * there are snippets; only with snippets.
   */
  readonly when: "always" | "path" | "repository" | "snippets";
  readonly start: string;
  /** Once, when the name of the repository is known. */
  readonly repository: string;
  /** For each snippet; `""`: each is headed by a comment with its path, as for families without a form. */
  readonly file: string;
  /** For the document itself, before the fill-in-the-middle text. */
  readonly current: string;
  /** For the document itself, before its prefix, inside the fill-in-the-middle text. */
  readonly inPrefix: string;
  /** Where snippets and `current` go: before the fill-in-the-middle text, or at the prefix's start. */
  readonly place: "before" | "prefix";
}

/** The server writes the prompt from prefix and suffix. Applies with its own kind of backend only. */
export interface ServerFimFormat {
  readonly fim: "server";
  readonly family: string;
  readonly match: RegExp;
  readonly backendKind: string;
  readonly api: {
    /** Path of the endpoint, from the root of the server. */
    readonly path: string;
    /** Fields that it takes; others are refused or ignored. */
    readonly fields: readonly string[];
    /** Where the text is in the answer. */
    readonly text: string;
  };
  readonly contextTokens: number | null;
  readonly licence: string;
  readonly note: string;
}

/** A family that is known and cannot be asked, with the reason. */
export interface NoFimRow {
  readonly fim: "none";
  readonly family: string;
  readonly match: RegExp;
  /** `untrained`: it cannot fill in the middle; the others are formats that are not supported. */
  readonly kind: "untrained" | "edit-prediction" | "chat";
  /** Follows "it cannot be used, because" in a sentence. */
  readonly reason: string;
  readonly specials: readonly string[];
  readonly licence: string;
}
