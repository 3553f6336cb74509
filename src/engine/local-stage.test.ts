import { describe, expect, it } from "vitest";
import { TextBuffer } from "../base/text-buffer.ts";
import {
  type CursorEdit,
  estimatedTokenCounter,
  lexicalScopeProbe,
  type SyntaxJudge,
} from "../core/index.ts";
import { localModelOf } from "../testing/engine-fixture.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { cursorWindow } from "./cursor-window.ts";
import { DocumentHistory } from "./document-history.ts";
import { askLocal, type LocalStageInput } from "./local-stage.ts";
import { Trace } from "./trace.ts";

const above = Array.from({ length: 4 }, (_, i) => `import { thing${i} } from "../things.ts";\n`);
const local = localModelOf(
  Object.fromEntries(
    ["strict: true", "strict: false", "lazy: true", "name: key"].map((option, i) => [
      `src/${i}.ts`,
      `${above.join("")}const value${i} = createRegistry({ ${option} });\n`,
    ]),
  ),
);

/** Judges nothing but the number of questions. */
class CountingJudge implements SyntaxJudge {
  readonly judged: CursorEdit[] = [];
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    this.isRefused = isRefused;
  }

  breaks(edit: CursorEdit): boolean {
    this.judged.push(edit);
    return this.isRefused;
  }

  lastStatementEnd(): number | null {
    return null;
  }
}

function offersWith(judge: SyntaxJudge, options: Pick<LocalStageInput, "isShown" | "count">) {
  const text = `${above.join("")}const mine = createRegistry({ `;
  const buffer = TextBuffer.from(text);
  const history = new DocumentHistory({ isKept: true });
  const view = {
    ...{ key: "a", buffer, offset: text.length, path: "src/a.ts" },
    ...{ languageId: "typescript", version: null, history },
  };
  return askLocal({
    ...{ local, view, window: cursorWindow(view), multiline: false, maxTokens: 48, stops: [] },
    ...{ scopes: lexicalScopeProbe, syntax: judge, ...options },
    counter: estimatedTokenCounter({ vocabulary: "large", languageId: "typescript" }),
    trace: new Trace(new FakeClock()),
  });
}

describe("parses of what the local model offers", () => {
  it("are one for each text that is shown, however many there are", () => {
    for (const count of [1, 2]) {
      const judge = new CountingJudge(false);
      const offers = offersWith(judge, { isShown: () => true, count });
      expect(offers.length).toBeGreaterThan(count);
      expect(judge.judged.length).toBe(count);
    }
  });

  it("are none where nothing is shown", () => {
    const judge = new CountingJudge(false);
    expect(offersWith(judge, { isShown: () => false, count: 1 }).length).toBeGreaterThan(1);
    expect(judge.judged).toEqual([]);
  });

  it("go on to the next text where one is refused", () => {
    const judge = new CountingJudge(true);
    const offers = offersWith(judge, { isShown: () => true, count: 1 });
    expect(judge.judged.length).toBe(offers.length);
    expect(offers.every(({ kind }) => kind === "rejected")).toBe(true);
  });
});
