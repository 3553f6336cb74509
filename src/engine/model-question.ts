import type {
  AskPosition,
  CursorView,
  CursorWindow,
  ScopeProbe,
  Snippet,
  SyntaxJudge,
} from "../core/index.ts";
import type { Judgement } from "./decision.ts";
import type { DocumentView } from "./documents.ts";
import type { Offer } from "./offer.ts";
import type { Trace } from "./trace.ts";
import type { EngineRequest } from "./types.ts";

/** A request that has come as far as the language model. */
export interface ModelQuestion {
  readonly id: string;
  readonly request: EngineRequest;
  readonly view: DocumentView;
  readonly window: CursorWindow;
  readonly now: CursorView;
  readonly position: Omit<AskPosition, "forModel">;
  readonly multiline: boolean;
  readonly maxTokens: number;
  /** What the local model offers, best first. */
  readonly offers: readonly Offer[];
  readonly judgement: Judgement;
  readonly hasLocal: boolean;
  readonly scopes: ScopeProbe;
  /** `null` where no parser judges the answer. */
  readonly syntax: SyntaxJudge | null;
  readonly trace: Trace;
  /** Context for this place, without secrets; `null` where none was looked for. */
  readonly found: readonly Snippet[] | null;
}
