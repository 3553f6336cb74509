/** The public names of repository context, one by one. */
export type { Passage } from "./fusion.ts";
export type {
  FileTexts,
  MeaningSearch,
  RepoContextOptions,
} from "./repo-context.ts";
export { defaultContextBudgets, RepoContext } from "./repo-context.ts";
export { RepoIndex } from "./repo-index.ts";
export { hasPlaceholder, redactSecrets, SECRET_PLACEHOLDER } from "./secrets.ts";
export type { SegmentData, SegmentFile } from "./segment.ts";
export { SegmentBuilder } from "./segment-builder.ts";
export { decodeSegment, encodeSegment } from "./segment-codec.ts";
export type { SegmentIndexData } from "./segment-index.ts";
export { indexSegment } from "./segment-index.ts";
export type { Settled } from "./settle.ts";
export { mayChange, settle } from "./settle.ts";
export { VectorList } from "./vector-list.ts";
