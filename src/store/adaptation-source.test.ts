import { join } from "node:path";
import { expect, test } from "vitest";
import { noAdaptation } from "../core/index.ts";
import { writeDecisions } from "../testing/journal-fixture.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { AdaptationSource, resetAdaptation } from "./adaptation-source.ts";

const noon = Date.UTC(2026, 10, 30, 12);

test("What was learned is learned from the journal of all processes, and forgotten on demand.", async () => {
  const folder = join(tempFolder(), "events");
  const source = new AdaptationSource(folder);
  await source.refresh();
  expect(source.adaptation).toEqual(noAdaptation);

  await writeDecisions(folder, { session: "a1", count: 40, isTaken: false, fromMs: noon });
  await writeDecisions(folder, { session: "b2", count: 40, isTaken: false, fromMs: noon });
  await source.refresh();
  expect(source.adaptation.labels).toBe(80);
  expect(source.adaptation.bias).toBeLessThan(-0.2);

  const other = new AdaptationSource(folder);
  await other.refresh();
  expect(other.adaptation).toEqual(source.adaptation);

  await resetAdaptation(folder, noon + 1_000_000);
  await source.refresh();
  expect(source.adaptation).toEqual(noAdaptation);
  await writeDecisions(folder, {
    session: "c3",
    count: 3,
    isTaken: true,
    fromMs: noon + 2_000_000,
  });
  await source.refresh();
  expect(source.adaptation.labels).toBe(3);
});

test("Where forgetting cannot be written down, that is said.", async () => {
  const folder = join(tempFolder({ events: "a file in the way" }), "events");
  await expect(resetAdaptation(folder, noon)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
});
