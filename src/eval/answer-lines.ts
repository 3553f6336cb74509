/**
 * Answers of a model one per line in a file, so that a run of hours can be stopped and continued.
 * Queues of questions take turns, so that a run that is stopped has about as many answers of each.
 */
import { appendFile } from "node:fs/promises";
import { type LineReader, readJsonLines } from "./run/json-lines.ts";

/** The answers in a file; none when there is no such file. Throws as `readJsonLines`. */
export async function readAnswerLines<Answer>(
  file: string,
  read: LineReader<Answer>["read"],
): Promise<readonly Answer[]> {
  return (await readJsonLines({ file, read })) ?? [];
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
    /** Takes a line of the file. */
    readonly read: LineReader<Answer>["read"];
    readonly ask: (question: Question) => Promise<Answer>;
    readonly questionKey: (question: Question) => string;
    readonly answerKey: (answer: Answer) => string;
  },
): Promise<readonly Answer[]> {
  const { file, untilMs, onProgress, read, ask, questionKey, answerKey } = options;
  const kept = await readAnswerLines(file, read);
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
