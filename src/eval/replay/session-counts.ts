/** What is counted in one session of typing. Everything but `measured` is the same in every run. */

/** Milliseconds of single requests or calls. */
export type Times = readonly number[];

export interface SessionCounts {
  /** Keys that type or delete, and keys that accept a text or a part of it. */
  readonly typedKeys: number;
  readonly acceptKeys: number;
  /** Characters that were written, and those of them that were accepted. */
  readonly writtenUnits: number;
  readonly acceptedUnits: number;
  /** Requests to the engine: one for each key. */
  readonly requests: number;
  /** Answers with a text by their source, and without one by their reason. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers out of a call that another request had started. */
  readonly joins: number;
  /** Requests that started a call of a model, and those of them without an answer at the next key. */
  readonly reached: number;
  readonly late: number;
  /** Requests that ended in an error, by its code. */
  readonly failures: Readonly<Record<string, number>>;
  readonly calls: CallCounts;
  readonly suggestions: SuggestionCounts;
  /** Simulated time from the first key to the end. */
  readonly virtualMs: number;
  /** From the key to the start of the call, of the requests that reached a model. */
  readonly waitMs: Times;
  /** From the start of a call to its first text. */
  readonly ttftMs: Times;
  /** From the first text to the last. */
  readonly decodeMs: Times;
  readonly measured: {
    /** Work of the engine before a model is asked, and after it. */
    readonly contextMs: Times;
    readonly postMs: Times;
    /** Real time of the session, and CPU time of this process in it. */
    readonly realMs: number;
    readonly cpuMs: number;
  };
}

/** Requests to a language model. */
export interface CallCounts {
  readonly started: number;
  /** Of these: asked ahead of the person. */
  readonly prefetches: number;
  /** Given up before their text was final, cut when it was, failed. */
  readonly aborted: number;
  readonly cut: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Tokens of calls of whose text nothing was shown. */
  readonly wastedOutputTokens: number;
  readonly wastedPromptTokens: number;
  /** Calls that ended before the backend counted: their tokens are those of the prompt as sent. */
  readonly estimated: number;
}

/** Texts on the screen. What is typed along, or shrinks by a partial accept, stays the same text. */
export interface SuggestionCounts {
  readonly shown: number;
  readonly shownUnits: number;
  /** On the screen for 750 ms, or accepted. */
  readonly seen: number;
  readonly accepted: number;
  readonly partlyAccepted: number;
  /** Keys that agreed with the text on the screen, and those of them after which another stood there. */
  readonly agreedKeys: number;
  readonly flickers: number;
}
