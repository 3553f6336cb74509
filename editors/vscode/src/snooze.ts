import { window } from "vscode";
import type { Pause } from "./pause.ts";

const MINUTE_MS = 60_000;
const choices = [5, 15, 60, 240] as const;

/** Asks for how long; nothing happens when nobody chooses. */
export async function snooze(pause: Pause): Promise<void> {
  const items = choices.map((minutes) => ({
    label: minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hour${minutes === 60 ? "" : "s"}`,
    minutes,
  }));
  const picked = await window.showQuickPick(items, { title: "Midspan: no suggestions for" });
  if (picked !== undefined) pause.start(picked.minutes * MINUTE_MS);
}
