import { type Calibrator, parseCalibrator } from "./calibrator.ts";
import data from "./part-calibrator.data.json" with { type: "json" };
import { partFeatureNames } from "./part-features.ts";

/** The calibrator of parts that ships. */
export const defaultPartCalibrator: Calibrator = parseCalibrator(data, partFeatureNames);
