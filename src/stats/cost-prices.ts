/** Prices of `cost-prices.data.json`: each with its date, its source, and whether it was checked. */
import pricesData from "./cost-prices.data.json" with { type: "json" };

/** Where a price comes from. */
export interface PriceSource {
  /** Day on which the price held, `2026-11-30`. */
  readonly date: string;
  readonly source: string;
  /** False: from memory or an assumption; ask the seller before you decide. */
  readonly isChecked: boolean;
}

/** Dollars per million tokens. */
export interface ServerlessPrice extends PriceSource {
  readonly id: string;
  readonly name: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** `null`: as other input. */
  readonly cachedInputPerMillion: number | null;
}

/** Dollars per developer and month. */
export interface SeatPrice extends PriceSource {
  readonly id: string;
  readonly name: string;
  readonly perMonth: number;
}

/** A GPU that can be rented by the hour. */
export interface GpuPrice extends PriceSource {
  readonly id: string;
  readonly name: string;
  readonly perHour: number;
  readonly teraflops: number;
  readonly memoryGb: number;
  readonly watts: number;
}

/** A machine of one's own. */
export interface HardwarePrice extends PriceSource {
  readonly pricePerServer: number;
  readonly months: number;
  readonly perKilowattHour: number;
}

/** All prices; the first of each list is the default. */
export const costPrices: {
  readonly serverless: readonly ServerlessPrice[];
  readonly seats: readonly SeatPrice[];
  readonly gpus: readonly GpuPrice[];
  readonly hardware: HardwarePrice;
  /** Sizes of a family of open code models, for the table of what a GPU carries. */
  readonly models: readonly { readonly name: string; readonly billions: number }[];
} = pricesData;
