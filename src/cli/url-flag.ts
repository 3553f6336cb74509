/** Addresses on the command line, checked as they are read. */
import { InvalidArgumentError } from "commander";

/** An address of http or https, as it was typed. */
export function httpUrl(text: string): string {
  const isHttp = /^https?:\/\//i.test(text) && URL.canParse(text);
  if (isHttp) return text;
  throw new InvalidArgumentError(
    "It is not an address; write http://HOST:PORT, such as http://127.0.0.1:4477.",
  );
}
