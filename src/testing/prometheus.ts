/** Labels and value of each sample of a metric, in the order of the text: `reason="empty" 1`. */
export function samples(text: string, name: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length).replace(/[{}]/g, "").trim());
}
