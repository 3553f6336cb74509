/** Numbers on the command line, checked as they are read. */
import { InvalidArgumentError } from "commander";

/** Beyond it nothing that we count makes sense, and sums of products overflow. */
const MOST = 1e12;

/** 1, 2, 3 … */
export function positiveInteger(text: string): number {
  const value = numberIn(text);
  if (value === null || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError("It is not a whole number from 1 on.");
  }
  return value;
}

export function positiveNumber(text: string): number {
  const value = numberIn(text);
  if (value === null || value <= 0)
    throw new InvalidArgumentError("It is not a number above 0, up to 1e12.");
  return value;
}

export function nonNegativeNumber(text: string): number {
  const value = numberIn(text);
  if (value === null) throw new InvalidArgumentError("It is not a number from 0 to 1e12.");
  return value;
}

/** 0 to 1. */
export function share(text: string): number {
  const value = numberIn(text);
  if (value === null || value > 1)
    throw new InvalidArgumentError("It is not a share, from 0 to 1.");
  return value;
}

/** `null` for what is no number from 0 to `MOST`. */
function numberIn(text: string): number | null {
  const value = Number(text);
  return text.trim() !== "" && 0 <= value && value <= MOST ? value : null;
}
