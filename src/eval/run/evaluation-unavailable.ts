/**
 * An evaluation cannot run here: data, a toolchain, isolation or an earlier result file is missing or
 * not what it should be. The message says what to do and ends without a dot.
 */
export class EvaluationUnavailableError extends Error {
  override readonly name: string = "EvaluationUnavailableError";
}
