import { describe, expect, it } from "vitest";
import { Connection } from "./connection.ts";

const http = { send: () => Promise.reject(new Error("never asked")) };

describe("the address of a server", () => {
  it.each([
    ["http://host:8080", "http://host:8080"],
    ["http://host:8080/", "http://host:8080"],
    ["http://host:8080/v1", "http://host:8080"],
    ["http://host:8080/v1/", "http://host:8080"],
    ["https://host/beta", "https://host"],
    ["https://host/llm/v1", "https://host/llm"],
    ["https://user:secret@host/v1?key=secret#x", "https://host"],
  ])("%s is %s", (url, address) => {
    expect(new Connection({ http, url, apiKey: null }).address).toBe(address);
  });
});
