import { expect, test } from "vitest";
import { sourceChoices } from "./source-choices.ts";

test("each source that is set is left out once, each other one is added, and each stands alone", () => {
  const choices = sourceChoices(["head", "edit", "search"]);
  expect(choices.map(({ name, kinds }) => `${name}: ${kinds.join(" ")}`)).toEqual([
    "no sources: ",
    "without head: edit search",
    "with import: head edit search import",
    "with definition: head edit search definition",
    "without search: head edit",
    "head alone: head",
    "import alone: import",
    "definition alone: definition",
    "search alone: search",
  ]);
});
