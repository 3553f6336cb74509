import { expect, it } from "vitest";
import type { BlockText } from "./stored-texts.ts";
import { streamEffects } from "./stream-effects.ts";

const text: BlockText = {
  ...{ prefix: "def f(xs):\n    for x in xs:\n        ", target: "use(x)", below: true },
  ...{ suffix: "", languageId: "python", origin: "model", multiline: true },
  ...{
    raw: "use(x)\n    done()\n    more()",
    pieces: ["use(x)\n", "    done()", "\n", "    more()"],
  },
};

it("counts pieces until the text is over, and those that the model wrote", () => {
  expect(streamEffects([text, { ...text, pieces: ["use(x)"] }], { stops: [] })).toEqual({
    texts: 2,
    written: 5,
    taken: 4,
  });
});
