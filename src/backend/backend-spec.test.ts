import { describe, expect, it } from "vitest";
import { settingTable } from "../config/setting-table.ts";
import { adapterKinds, parseBackendSpec } from "./backend-spec.ts";

const error = (text: string): string => {
  try {
    parseBackendSpec(text);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : "";
  }
  return "";
};

describe("KIND:URL", () => {
  it("names the same kinds as the setting", () => {
    const { pattern, expects } = settingTable.backend;
    const urls = adapterKinds.map((kind) => `${kind}:http://host`);
    expect(urls.filter((url) => !new RegExp(pattern).test(url))).toEqual([]);
    expect(expects).toContain(`one of ${adapterKinds.join(", ")}`);
  });

  it.each(adapterKinds)("is taken apart for %s", (kind) => {
    expect(parseBackendSpec(`${kind}:http://host:1/v1`)).toEqual({ kind, url: "http://host:1/v1" });
  });

  it.each([
    [
      "lama.cpp:http://host",
      /lama\.cpp:http:\/\/host is no backend; write KIND:URL with KIND one of llama\.cpp, vllm/,
    ],
    ["http://host:1", /does not say what kind of server it is; write openai:http:\/\/host:1/],
    ["vllm", /vllm needs an address; write vllm:http:\/\/127\.0\.0\.1:8000/],
    ["vllm:host:1", /host:1 is no address; write vllm:http:\/\/host:1/],
    ["vllm:ftp://host", /ftp:\/\/host is no address; write vllm:http:\/\/host/],
    ["vllm:http://", /http:\/\/ is no address; write for example vllm:http:\/\/127\.0\.0\.1:8000/],
    ["", / is no backend; write KIND:URL/],
  ])("says what to type instead of %j", (text, expected) => {
    expect(error(text)).toMatch(expected);
  });

  it("shows no password", () => {
    expect(error("vlm:http://user:secret@host")).not.toContain("secret");
  });
});
