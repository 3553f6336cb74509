import { describe, expect, it } from "vitest";
import { SseReader } from "./sse-reader.ts";

function datas(text: string): readonly string[] {
  const reader = new SseReader();
  const found = [...text.split("\n").map((line) => reader.push(line)), reader.end()];
  return found.filter((data) => data !== null);
}

describe("lines to the data of events", () => {
  it.each([
    ["one event", "data: a\n\n", ["a"]],
    ["no blank after the colon", "data:a\n\n", ["a"]],
    ["only one blank goes", "data:  a\n\n", [" a"]],
    ["several lines of data", "data: a\ndata: b\n\n", ["a\nb"]],
    ["comments", ": ping\n\ndata: a\n: ping\n\n", ["a"]],
    ["other fields", "event: message\nid: 1\nretry: 5\ndata: a\n\n", ["a"]],
    ["an empty event", "data\n\n", [""]],
    ["an end without a blank line", "data: a", ["a"]],
    ["the field of older llama.cpp servers", 'error: {"code":500}\n\n', ['{"error":{"code":500}}']],
    ["what is no field", "<html>\n<p>\n\n", []],
  ])("with %s", (_name, text, expected) => {
    expect(datas(text)).toEqual(expected);
  });
});
