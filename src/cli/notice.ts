/** Sentences for a person, beside the results. */
const said = new Set<string>();

/** Writes a line to stderr; a command that meets the same fact twice says it once. */
export function notice(line: string): void {
  if (isNews(line)) process.stderr.write(`midspan: ${line}\n`);
}

/** True for the first time that a line is asked about, for those who write it in another way. */
export function isNews(line: string): boolean {
  if (said.has(line)) return false;
  said.add(line);
  return true;
}
