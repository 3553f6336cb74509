/**
 * Answers of a model one per line in a file, so that a run of hours can be stopped and continued.
 * Queues of questions take turns, so that a run that is stopped has about as many answers of each.
 */
import { appendFile, readFile } from "node:fs/promises";

/** The answers in a file, as they were kept; none when there is no such file. */
export async function readAnswerLines<Answer>(file: string): Promise<readonly Answer[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Answer => JSON.parse(line));
}

/** When to stop asking, and whom to tell. */
export interface AskingTime {
  /** Answers are appended here. */
  readonly file: string;
  /** Asked until then and not longer; what the file holds is returned in any case. */
  readonly untilMs: number;
  readonly onProgress: (done: number, total: number) => void;
}

/** Asks what is not in the file yet. Resolves with all answers to these questions. */
export async function askInTurns<Question, Answer>(
  queues: readonly (readonly Question[])[],
  options: AskingTime & {
    readonly ask: (question: Question) => Promise<Answer>;
    readonly questionKey: (question: Question) => string;
    readonly answerKey: (answer: Answer) => string;
  },
): Promise<readonly Answer[]> {
  const { file, untilMs, onProgress, ask, questionKey, answerKey } = options;
  const kept = await readAnswerLines<Answer>(file);
  const known = new Map(kept.map((answer) => [answerKey(answer), answer]));
  const total = queues.reduce((sum, queue) => sum + queue.length, 0);
  const turns = Math.max(0, ...queues.map(({ length }) => length));
  const answers: Answer[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const queue of queues) {
      const question = queue[turn];
      if (question === undefined) continue;
      let answer = known.get(questionKey(question));
      if (answer === undefined && Date.now() < untilMs) {
        answer = await ask(question);
        await appendFile(file, `${JSON.stringify(answer)}\n`);
      }
      if (answer !== undefined) answers.push(answer);
      onProgress(answers.length, total);
    }
  }
  return answers;
}
