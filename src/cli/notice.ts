/** Sentences for a person, beside the results. */
const said = new Set<string>();

/** Writes a line to stderr; a command that meets the same fact twice says it once. */
export function notice(line: string): void {
  if (said.has(line)) return;
  said.add(line);
  process.stderr.write(`midspan: ${line}\n`);
}
