const units = ["B", "kB", "MB", "GB", "TB"];

/** A number of bytes for people, in powers of 1,000 as disks are sold: `4.7 MB`, `145 MB`, `1.6 GB`. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be printed as 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
