/** From numbers to places on a chart, with ticks at numbers that people like. */
import type { Axis } from "./report.ts";

/** An axis laid over pixels. */
export interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
  readonly min: number;
  readonly max: number;
}

export interface ScaleOptions {
  readonly axis: Axis;
  /** Everything that must lie on it; numbers that are not finite are ignored. */
  readonly values: readonly number[];
  /** Where the least and the greatest number come to lie. */
  readonly from: number;
  readonly to: number;
  /** About how many steps there shall be. */
  readonly steps: number;
  /** Whether a linear axis may begin above 0 when all numbers lie close together. */
  readonly isZoomed: boolean;
}

/** Numbers lie close together when the least is at least this share of the greatest. */
const CLOSE = 0.5;

/**
 * A linear axis begins at 0 unless there are negative numbers, since bars that start elsewhere
 * exaggerate, or numbers lie close together and `isZoomed` allows it. One of shares ends at 1 at most. A logarithmic axis leaves out what is not positive.
 */
export function scaleOf(options: ScaleOptions): Scale {
  return options.axis.scale === "log" ? logScale(options) : linearScale(options);
}

function linearScale({ axis, values, isZoomed, from, to, steps }: ScaleOptions): Scale {
  const finite = values.filter(Number.isFinite);
  const least = Math.min(...finite);
  const greatest = Math.max(...finite);
  const isClose = isZoomed && 0 < least && least > CLOSE * greatest && least < greatest;
  const low = isClose ? least : Math.min(0, ...finite);
  // Without any number, or with zeros only, the axis still has a length.
  const high = greatest > low ? greatest : low + 1;
  const step = niceStep((high - low) / steps);
  const min = Math.floor(low / step + 1e-9) * step;
  const reached = Math.ceil(high / step - 1e-9) * step || step;
  const max = axis.unit === "share" && high <= 1 ? Math.min(1, reached) : reached;
  const ticks: number[] = [];
  for (let i = 0; min + i * step <= max + step * 1e-6; i++) ticks.push(clean(min + i * step));
  const place = (value: number): number => from + ((value - min) / (max - min)) * (to - from);
  return { place, ticks, min, max };
}

function logScale({ values, from, to }: ScaleOptions): Scale {
  const positive = values.filter((value) => Number.isFinite(value) && value > 0);
  const low = Math.min(...positive, ...(positive.length === 0 ? [1] : []));
  const high = Math.max(...positive, ...(positive.length === 0 ? [10] : []));
  const floorOf = (value: number): number => {
    const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
    return clean(([5, 2, 1].find((factor) => factor * power <= value * (1 + 1e-9)) ?? 1) * power);
  };
  const ceilingOf = (value: number): number => {
    const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
    return clean(([1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10) * power);
  };
  const min = floorOf(low);
  const max = Math.max(ceilingOf(high), clean(min * 2));
  const decades = Math.log10(max / min);
  const factors = decades > 3 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); 10 ** power <= max * (1 + 1e-9); power++) {
    for (const factor of factors) {
      const tick = clean(factor * 10 ** power);
      if (min <= tick * (1 + 1e-9) && tick <= max * (1 + 1e-9)) ticks.push(tick);
    }
  }
  const place = (value: number): number =>
    from + (Math.log10(Math.max(value, min) / min) / decades) * (to - from);
  return { place, ticks, min, max };
}

/** 1, 2, 2.5 or 5 times a power of ten, the least that is not below `wanted`. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= wanted * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Without the dust of floating point. */
function clean(value: number): number {
  return Number(value.toPrecision(10));
}
