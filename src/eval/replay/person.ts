/**
 * The simulated person: how fast they type, when they pause, when they look at a suggestion, and what
 * they do with it. All is drawn ahead for each place of the text, so that two configurations meet the
 * same person, however much of the text each of them writes.
 */
import type { Random } from "../../stats/random.ts";

/** What the next key at a place waits for, and whether the person looks up before it. */
export interface Habit {
  /** From the key before to this one. */
  readonly gapMs: number;
  /** The person looks at a suggestion that is there. */
  readonly looks: boolean;
}

/** One person in one session. */
export interface Person {
  /** Characters a minute while they type, 200 to 600. */
  readonly charactersPerMinute: number;
  /** By place in the text. */
  habitAt(written: number): Habit;
}

/** Slowest and fastest typist; pauses come on top. */
const RATE = { least: 200, most: 600 } as const;
/** Spread of the gaps between keys: standard deviation of their logarithm. */
const GAP_SPREAD = 0.35;
/** Share of lines before which a person thinks, and of words, and the mean time it takes. */
const LINE_PAUSE = { share: 0.4, meanMs: 2_000 } as const;
const WORD_PAUSE = { share: 0.06, meanMs: 700 } as const;
/** Share of keys at which a person who types on sees what is shown. */
const LOOK_SHARE = 0.25;
/** A person who rests this long looks anyway. */
export const RESTS_MS = 750;
/** Reading what is shown: a glance, and a part for each character up to a limit. */
const READING = { glanceMs: 250, perCharacterMs: 8, mostMs: 1_000 } as const;
/** From having read to the key that accepts. */
export const REACTION_MS = 150;

/** A person for a text; the same for a generator in the same state. */
export function createPerson(text: string, random: Random): Person {
  const charactersPerMinute = RATE.least + random.next() * (RATE.most - RATE.least);
  const usualMs = 60_000 / charactersPerMinute;
  const habits: Habit[] = [];
  for (let i = 0; i <= text.length; i++) {
    // The same number of draws at each place.
    const [normal, pause, length, look] = [
      gaussian(random),
      random.next(),
      -Math.log(1 - random.next()),
      random.next(),
    ];
    const before = text[i - 1] ?? "\n";
    const kind = before === "\n" ? LINE_PAUSE : /\s/.test(before) ? WORD_PAUSE : null;
    const pauseMs = kind !== null && pause < kind.share ? kind.meanMs * length : 0;
    const gapMs = usualMs * Math.exp(GAP_SPREAD * normal - GAP_SPREAD ** 2 / 2) + pauseMs;
    habits.push({ gapMs, looks: look < LOOK_SHARE });
  }
  const last = { gapMs: usualMs, looks: false };
  return { charactersPerMinute, habitAt: (written) => habits[written] ?? last };
}

/** Time to read a text. */
export function readingMs(text: string): number {
  return Math.min(READING.mostMs, READING.glanceMs + READING.perCharacterMs * text.length);
}

/** Box and Muller. */
function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
