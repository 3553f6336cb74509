/**
 * A real Emacs with the configuration that docs/editors/emacs.md gives: types, sees the text, takes it
 * or not.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { library } from "../../example-library.ts";
import { root } from "../../integration/product.ts";
import { type LspProcess, startLsp } from "../lsp-process.ts";
import { until } from "../until.ts";
import {
  createPlace,
  Emacs,
  type EmacsSetup,
  findEmacs,
  howToGetEmacs,
  type Place,
} from "./emacs.ts";

const head = "export function f(items: readonly number[]): number {";
const wanted = "  const total = computeTotal(items);";
const tail = "  return total;\n}\n";
const files = {
  "src/library.ts": library,
  "src/plain.ts": `${head}\n\n${tail}`,
  "src/other.ts": `${head}\n\n${tail}`,
};

const setup = findEmacs();
const down = "\x0e";
const tab = "\t";
const refuse = "\x07";

describe("Emacs with lsp-mode", () => {
  let place: Place;
  let lsp: LspProcess;
  let emacs: Emacs;

  beforeAll(async () => {
    place = createPlace(present(setup), files);
    lsp = await startLsp([]);
    emacs = await Emacs.start(present(setup), place, lspModeFor(lsp.port));
    await open(emacs, place, lspModeStatus);
  });

  beforeEach(async () => {
    await emacs.ask(`(progn (lsp-inline-completion-cancel) (goto-char (point-min)) (forward-line)
      (delete-region (pos-bol) (pos-eol)) nil)`);
    expect(await emacs.text()).toBe(`${head}\n\n${tail}`);
  });

  afterAll(async () => {
    await emacs.stop();
    await lsp.stop();
    lsp.dispose();
    place.dispose();
  });

  it("shows a text while one types, and takes it with Tab, which is counted", async () => {
    await emacs.type("  const total = comp");
    await ghostThat(emacs, (ghost) => ghost === "uteTotal(items);");
    emacs.press(tab);
    await textThat(emacs, (text) => text === `${head}\n${wanted}\n${tail}`);
    const types = await until(
      () => lsp.events().map(({ type }) => type),
      (found) => found.includes("accepted"),
      { what: "the events", withinMs: 10_000 },
    );
    expect(types.filter((type) => type === "shown" || type === "accepted")).toEqual([
      "shown",
      "accepted",
    ]);
  });

  it("covers a bracket that was closed by itself", async () => {
    // After the bracket itself lsp-mode does not ask: the point moved since its change.
    await emacs.type("  const total = computeTotal(i");
    await ghostThat(emacs, (ghost) => ghost.startsWith("tems"));
    emacs.press(tab);
    await textThat(
      emacs,
      (text) => text.split("\n")[1]?.startsWith("  const total = computeTotal(items)") === true,
    );
    expect((await emacs.text()).split("\n")[1]?.match(/\)/g)).toHaveLength(1);
  });

  it("inserts a key that is typed along, and shows what is left", async () => {
    await emacs.type("  const total = comp");
    await ghostThat(emacs, (ghost) => ghost === "uteTotal(items);");
    await emacs.type("ut");
    await ghostThat(emacs, (ghost) => ghost === "eTotal(items);");
    emacs.press(tab);
    await textThat(emacs, (text) => text === `${head}\n${wanted}\n${tail}`);
  });

  it("takes nothing that was refused", async () => {
    await emacs.type("  const total = comp");
    await ghostThat(emacs, (ghost) => ghost !== "");
    emacs.press(refuse);
    await ghostThat(emacs, (ghost) => ghost === "");
    await emacs.type("x");
    await textThat(emacs, (text) => text === `${head}\n  const total = compx\n${tail}`);
  });
});

describe("Emacs with eglot", () => {
  it("has the text among its completions", async () => {
    const place = createPlace(present(setup), files);
    const lsp = await startLsp([]);
    const emacs = await Emacs.start(present(setup), place, eglotFor(lsp.port));
    await open(emacs, place, eglotStatus);
    await emacs.type("  const total = comp");
    await textThat(emacs, (text) => text.includes("= comp\n"));
    emacs.press("\x1b\t");
    await textThat(emacs, (text) => text === `${head}\n${wanted}\n${tail}`);
    await emacs.stop();
    await lsp.stop();
    lsp.dispose();
    place.dispose();
  });
});

/** Opens the file, goes to the empty line, and waits until the server knows all files. */
async function open(emacs: Emacs, place: Place, status: string): Promise<void> {
  await emacs.ask(
    `(progn (find-file ${JSON.stringify(join(place.workspace, "src/plain.ts"))}) nil)`,
  );
  emacs.press(down);
  await until(
    () => emacs.ask("(line-number-at-pos (window-point))"),
    (line) => line === 2,
    { what: "the line of the cursor", withinMs: 5_000 },
  );
  await until(
    () => emacs.ask(status),
    (count) => Number(count) >= Object.keys(files).length,
    { what: "the files that the server knows", withinMs: 15_000 },
  );
}

/** Waits for the text that lsp-mode draws from the cursor on; `""` for none. */
async function ghostThat(emacs: Emacs, isRight: (ghost: string) => boolean): Promise<void> {
  const drawn = `(let ((overlay lsp-inline-completion--overlay))
    (if (and overlay (overlay-buffer overlay))
        (substring (concat (buffer-substring-no-properties (pos-bol) (overlay-start overlay))
                           (overlay-get overlay 'display) (overlay-get overlay 'after-string))
                   (- lsp-inline-completion--start-point (pos-bol)))
      ""))`;
  await until(async () => String(await emacs.ask(drawn)), isRight, {
    what: "the grey text",
    withinMs: 10_000,
  });
}

async function textThat(emacs: Emacs, isRight: (text: string) => boolean): Promise<void> {
  await until(() => emacs.text(), isRight, { what: "the text", withinMs: 10_000 });
}

/** What docs/editors/emacs.md says, with the server on a port in the place of its command. */
function documented(marker: string, command: string, onPort: string): string {
  const page = readFileSync(join(root, "docs", "editors", "emacs.md"), "utf8");
  const blocks = [...page.matchAll(/```elisp\n([^`]*)```/g)].map(([, block = ""]) => block);
  const block = blocks.find((text) => text.includes(marker)) ?? "";
  expect(block).toContain(command);
  return block.replace(command, onPort);
}

function lspModeFor(port: number): string {
  const connection = `(list :connect (lambda (filter sentinel name &rest _)
      (let ((process (make-network-process :name name :host "127.0.0.1" :service ${port}
                                           :coding 'no-conversion :filter filter
                                           :sentinel sentinel :noquery t)))
        (cons process process)))
    :test? #'always)`;
  return documented("lsp-register-client", `(lsp-stdio-connection '("midspan" "lsp"))`, connection);
}

function eglotFor(port: number): string {
  return documented("eglot", `("midspan" "lsp")`, `("127.0.0.1" ${port})`);
}

/** Files that the server knows by its last answer; each evaluation asks anew. */
const lspModeStatus = `(progn
  (defvar known-files -1)
  (when (bound-and-true-p lsp--buffer-workspaces)
    (lsp-request-async "midspan/status" nil
      (lambda (reply)
        (setq known-files (or (gethash "files" (elt (gethash "workspaces" reply) 0)) -1)))
      :mode 'detached))
  known-files)`;

const eglotStatus = `(progn
  (defvar known-files -1)
  (when (and (fboundp 'eglot-current-server) (eglot-current-server))
    (jsonrpc-async-request (eglot-current-server) :midspan/status nil
      :success-fn (lambda (reply)
        (setq known-files (or (plist-get (elt (plist-get reply :workspaces) 0) :files) -1)))))
  known-files)`;

function present(found: EmacsSetup | null): EmacsSetup {
  if (found === null) throw new Error(howToGetEmacs);
  return found;
}
