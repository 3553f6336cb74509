/** Figures in words. `–` stands where there is nothing to say. */

export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

export function decimal(value: number | null): string {
  if (value === null) return "–";
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

export function milliseconds(value: number | null): string {
  return value === null ? "–" : `${decimal(value)} ms`;
}

export function hours(value: number): string {
  return value < 1 ? `${Math.round(value * 60)} min` : `${value.toFixed(1)} h`;
}

export function seconds(value: number): string {
  return value < 60 ? `${value} s` : `${value / 60} min`;
}
