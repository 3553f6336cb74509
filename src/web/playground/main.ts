/** The playground: puts its parts together and connects them with the server it came from. */
import { getFiles, postAutocomplete, postEvents, ServerError, ServerGone } from "../api.ts";
import { Cell } from "../cell.ts";
import { Connection } from "../connection.ts";
import { element } from "../dom.ts";
import { Theme } from "../theme.ts";
import { createBanner } from "./banner.ts";
import { count, emptyTally, type Tally } from "./counters.ts";
import { createActionBar } from "./editor/action-bar.ts";
import { createCodeEditor } from "./editor/code-editor.ts";
import type { Ghost } from "./editor/ghost-provider.ts";
import { GhostText } from "./editor/ghost-text.ts";
import { KeyClock } from "./editor/key-clock.ts";
import { editor, prepareMonaco } from "./editor/monaco.ts";
import { createTabs } from "./editor/tabs.ts";
import { Workbench } from "./editor/workbench.ts";
import { EventQueue } from "./event-queue.ts";
import { createFileList } from "./files/file-list.ts";
import { createHeader } from "./header.ts";
import type { KeyPress } from "./key-press.ts";
import { createPanel } from "./panel/panel.ts";
import { goWhereTextIs, openFirst } from "./start.ts";
import { createStatusLine } from "./status-line.ts";

const theme = new Theme();
const connection = new Connection();
const paused = new Cell(false);
const threshold = new Cell<number | null>(null);
const serverThreshold = new Cell<number | null>(null);
const keyPress = new Cell<KeyPress>({ kind: "none", beginning: null });
const tally = new Cell<Tally>(emptyTally);
const ghost = new Cell<Ghost | null>(null);
const life = new AbortController();

prepareMonaco();
const editorHost = element("div", { class: "editor" });
const codeEditor = createCodeEditor(editorHost);
const workbench = new Workbench(codeEditor);
const keyClock = new KeyClock(codeEditor);
const fileList = createFileList((path) => void openFile(path));
const events = new EventQueue({
  send: postEvents,
  now: () => Date.now(),
  after,
  nextId: uniqueIds(),
});
window.addEventListener("pagehide", () => events.leave());
const ghostText = new GhostText(codeEditor, {
  ask: postAutocomplete,
  nameOf: (model) => workbench.nameOf(model),
  hasSelection: () => codeEditor.getSelection()?.isEmpty() === false,
  settings: () => ({ paused: paused.value, threshold: threshold.value }),
  now: () => performance.now(),
  after,
  takeKeyPress: () => keyClock.take(),
  onKeyPress: (next) => keyPress.set(next),
  onCount: (event) => tally.set(count(tally.value, event)),
  onEvent: (event) => events.add(event),
  hasFocus: () => codeEditor.hasTextFocus(),
  version: () => codeEditor.getModel()?.getVersionId() ?? 0,
  onGhost: (next) => ghost.set(next),
  onFailure: explainFailure,
});

document.body.append(
  createHeader({ paused, theme: theme.choice }),
  fileList.element,
  element(
    "main",
    { class: "work" },
    createTabs(workbench),
    editorHost,
    createActionBar(ghostText, ghost),
  ),
  createPanel({ keyPress, tally, threshold, serverThreshold }),
  createStatusLine(connection.state),
  createBanner(connection.state),
);

theme.isDark.watch((isDark) => editor.setTheme(isDark ? "midspan-dark" : "midspan-light"));
workbench.state.watch(({ activePath }) => fileList.setActive(activePath));
let isFirstSetting = true;
for (const cell of [paused, threshold]) cell.watch(() => isFirstSetting || applySettings());
isFirstSetting = false;

let listed = "";
let isStarted = false;
connection.state.watch((state) => {
  if (state.kind !== "connected") return;
  const { health } = state;
  serverThreshold.set(health.threshold);
  // The list is fetched again when another workspace is served or files came or went.
  const listing = `${health.workspace} ${health.local.files_total} ${health.local.state}`;
  if (listing === listed) return;
  listed = listing;
  void listFiles();
});
void connection.check();

function after(ms: number, callback: () => void): () => void {
  const timer = window.setTimeout(callback, ms);
  return () => window.clearTimeout(timer);
}

/** `crypto.randomUUID` is missing where the page comes over plain HTTP from another machine. */
function uniqueIds(): () => string {
  const start = Math.random().toString(36).slice(2, 12);
  let count = 0;
  return () => `${start}-${(count++).toString(36)}`;
}

async function listFiles(): Promise<void> {
  const state = connection.state.value;
  if (state.kind !== "connected") return;
  try {
    const { files, truncated } = await getFiles(life.signal);
    fileList.setFiles(files, truncated);
    if (isStarted) return;
    isStarted = true;
    const found = await openFirst(workbench, files, life.signal);
    codeEditor.focus();
    // Asking around costs nothing with the local model alone; with a language model it might.
    if (state.health.backend !== null) return;
    const isTouched = touchWatch();
    const beginning = await goWhereTextIs(workbench, found, { isTouched, signal: life.signal });
    if (keyPress.value.kind === "none") keyPress.set({ kind: "none", beginning });
  } catch (error) {
    listed = "";
    explainFailure(error);
  }
}

/** Tells whether the person has done anything since: typed, moved the cursor or opened something. */
function touchWatch(): () => boolean {
  const path = workbench.state.value.activePath;
  const place = codeEditor.getPosition();
  return () =>
    keyPress.value.kind !== "none" ||
    workbench.state.value.activePath !== path ||
    codeEditor.getPosition()?.equals(place ?? { lineNumber: 1, column: 1 }) !== true;
}

async function openFile(path: string): Promise<void> {
  try {
    await workbench.openFile(path, life.signal);
    codeEditor.focus();
  } catch (error) {
    keyPress.set({ kind: "failed", message: explainFailure(error) });
  }
}

function applySettings(): void {
  if (paused.value) {
    ghostText.hide();
    keyPress.set({ kind: "paused" });
  } else {
    ghostText.askAgain();
  }
}

/** A sentence for a person. A server that does not answer is looked for at once. */
function explainFailure(error: unknown): string {
  if (error instanceof ServerGone) {
    void connection.check();
    return "The server does not answer.";
  }
  if (error instanceof ServerError) return `${error.message} (${error.code}).`;
  throw error;
}
