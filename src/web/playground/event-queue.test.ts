import { expect, test } from "vitest";
import type { EventsBody, EventsReply } from "../../protocol/events.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { EventQueue } from "./event-queue.ts";

const fine: EventsReply = { enabled: true, taken: 1, repeated: 0, unknown: 0 };

function queueOf(answer: (count: number) => Promise<EventsReply>) {
  const clock = new FakeClock();
  const sent: { readonly body: EventsBody; readonly isLast: boolean }[] = [];
  let ids = 0;
  const queue = new EventQueue({
    send: (body, { isLast }) => {
      sent.push({ body, isLast });
      return answer(sent.length);
    },
    now: () => 5_000 + clock.now(),
    after: (ms, callback) => clock.after(ms, callback),
    nextId: () => `e${ids++}`,
  });
  return { clock, sent, queue };
}

const rejected = (request: string) => ({ type: "rejected", request }) as const;
const shown = (request: string) =>
  ({ type: "shown", request, visible_index: 0, inferred: false }) as const;

test("Events go in one batch, a second later, with their own times.", async () => {
  const { clock, sent, queue } = queueOf(async () => fine);
  queue.add(shown("a"));
  await clock.advance(400);
  queue.add(shown("b"));
  await clock.advance(5_000);
  expect(sent).toEqual([
    {
      isLast: false,
      body: {
        sent_at: 6_000,
        client: "playground",
        events: [
          { id: "e0", ts: 5_000, ...shown("a") },
          { id: "e1", ts: 5_400, ...shown("b") },
        ],
      },
    },
  ]);
  expect(clock.pendingCount).toBe(0);
});

test("A batch that failed is sent again with the same ids.", async () => {
  const { clock, sent, queue } = queueOf((count) =>
    count === 1 ? Promise.reject(new Error("gone")) : Promise.resolve(fine),
  );
  queue.add(shown("a"));
  await clock.advance(1_000);
  queue.add(shown("b"));
  await clock.advance(10_000);
  expect(sent.map(({ body }) => body.events.map(({ id }) => id))).toEqual([["e0"], ["e0", "e1"]]);
});

test("A server that keeps no events is not told again.", async () => {
  const { clock, sent, queue } = queueOf(async () => ({ ...fine, enabled: false }));
  queue.add(shown("a"));
  await clock.advance(1_000);
  queue.add(shown("b"));
  await clock.advance(10_000);
  expect(sent).toHaveLength(1);
});

test("What waits goes out when the page goes.", async () => {
  const { sent, queue } = queueOf(async () => fine);
  queue.add(shown("a"));
  queue.leave();
  expect(sent.map(({ isLast, body }) => [isLast, body.events.length])).toEqual([[true, 1]]);
});

test("How a suggestion ends is told at once, with what waited, and one batch at a time.", async () => {
  const { clock, sent, queue } = queueOf(async () => fine);
  queue.add(shown("a"));
  await clock.advance(100);
  queue.add(rejected("a"));
  queue.add(shown("b"));
  queue.add(rejected("b"));
  await clock.advance(0);
  queue.add(shown("c"));
  await clock.advance(5_000);
  const batches = sent.map(({ body }) => [
    body.sent_at,
    body.events.map(({ type, request }) => `${type} ${request}`).join(),
  ]);
  expect(batches).toEqual([
    [5_100, "shown a,rejected a"],
    [5_100, "shown b,rejected b"],
    [6_100, "shown c"],
  ]);
  expect(clock.pendingCount).toBe(0);
});

test("An end that cannot be told is not tried again without a pause.", async () => {
  const { clock, sent, queue } = queueOf(() => Promise.reject(new Error("gone")));
  queue.add(rejected("a"));
  await clock.advance(3_500);
  expect(sent.map(({ body }) => body.sent_at)).toEqual([5_000, 6_000, 7_000, 8_000]);
});
