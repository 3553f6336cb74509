/** `midspan bench`: measures and compares with the targets. */
import { UsageError } from "./exit.ts";
export function benchCommand(options: { readonly what: string }): Promise<never> {
  throw new UsageError(`no bench ${options.what}`);
}
