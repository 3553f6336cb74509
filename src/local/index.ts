/** The public names of the model without weights, one by one. */
export type { CalibratorData, CalibratorTree } from "./calibrator.ts";
export {
  CALIBRATOR_VERSION,
  Calibrator,
  defaultCalibrator,
  parseCalibrator,
} from "./calibrator.ts";
export type { JudgedQuery } from "./calibrator-fit.ts";
export { fitCalibrator } from "./calibrator-fit.ts";
export { featureNames } from "./features.ts";
export { IndexBuilder } from "./index-builder.ts";
export { decodeIndex, encodeIndex } from "./index-codec.ts";
export type { IndexedFile, LocalIndex } from "./local-index.ts";
export { emptyIndex } from "./local-index.ts";
export type { LocalModelStats, RawCandidate } from "./local-model.ts";
export { LocalModel } from "./local-model.ts";
export type { LocalCandidate, LocalQuery } from "./types.ts";
