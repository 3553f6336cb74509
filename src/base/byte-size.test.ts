import { expect, test } from "vitest";
import { byteSize } from "./byte-size.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [4_685_408, "4.7 MB"],
  [99_960_000, "100 MB"],
  [144_810_720, "145 MB"],
  [999_600_000, "1.0 GB"],
  [1_646_573_056, "1.6 GB"],
  [2e15, "2000 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});
