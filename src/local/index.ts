/** The public names of the model without weights, one by one. */
export { Calibrator } from "./calibrator.ts";
export type { JudgedQuery } from "./calibrator-fit.ts";
export { fitCalibrator } from "./calibrator-fit.ts";
export { featureNames } from "./features.ts";
export { IndexBuilder } from "./index-builder.ts";
export { decodeIndex, encodeIndex } from "./index-codec.ts";
export type { IndexedFile, LocalIndex } from "./local-index.ts";
export { LocalModel } from "./local-model.ts";
export { partFeatureNames } from "./part-features.ts";
export type { LocalQuery } from "./types.ts";
