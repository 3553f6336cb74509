"use strict";
/**
 * Stands in for the packed extension's main file and loads it with a VS Code interface that takes notes:
 * how long each of its handlers kept the extension host, and what it answered. One JSON object a line
 * in the file that VSCODE_RECORDER_FILE names.
 */
const { appendFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const notes = [];
let isWaiting = false;

function note(value) {
  notes.push(JSON.stringify(value));
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    appendFileSync(process.env.VSCODE_RECORDER_FILE, `${notes.splice(0).join("\n")}\n`);
  }, 50);
}

function timed(name, run, self) {
  return function (...args) {
    const startedAt = performance.now();
    try {
      return run.apply(self ?? this, args);
    } finally {
      note({ kind: "handler", name, ms: performance.now() - startedAt });
    }
  };
}

/** What lines look like when an answer is taken. */
async function noteAnswer(document, position, answering) {
  const uri = document.uri.toString();
  const line = document.lineAt(position.line).text;
  const answer = await answering;
  const items = answer?.items ?? [];
  const lines = items.map(({ insertText, range }) => {
    const end = range.end.line === range.start.line ? range.end.character : line.length;
    const whole = line.slice(0, range.start.character) + insertText + line.slice(end);
    return whole.split(/\r?\n/);
  });
  note({ kind: "answer", uri, line, lines, isNull: answer === null });
}

function observed(provider) {
  const wrapped = {};
  for (const name of [
    "provideInlineCompletionItems",
    "handleDidShowCompletionItem",
    "handleDidPartiallyAcceptCompletionItem",
    "handleEndOfLifetime",
  ]) {
    if (typeof provider[name] === "function") wrapped[name] = timed(name, provider[name], provider);
  }
  const provide = wrapped.provideInlineCompletionItems;
  wrapped.provideInlineCompletionItems = (document, position, context, token) => {
    const answering = provide(document, position, context, token);
    void noteAnswer(document, position, answering);
    return answering;
  };
  return wrapped;
}

const replaced = {
  languages: {
    registerInlineCompletionItemProvider: (selector, provider, ...more) =>
      vscode.languages.registerInlineCompletionItemProvider(selector, observed(provider), ...more),
  },
  commands: {
    registerCommand: (id, run, self) => vscode.commands.registerCommand(id, timed(id, run, self)),
  },
};

/** A namespace whose events call timed listeners. */
function namespace(name) {
  const original = vscode[name];
  const copy = {};
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(original))) {
    const own = replaced[name]?.[key];
    const isEvent = /^on(Did|Will)/.test(key);
    Object.defineProperty(copy, key, {
      enumerable: property.enumerable,
      get: () => {
        if (own !== undefined) return own;
        const value = original[key];
        if (!isEvent) return value;
        return (listener, self, disposables) =>
          value(timed(`${name}.${key}`, listener, self), null, disposables);
      },
    });
  }
  return copy;
}

const observedVscode = { ...vscode };
for (const name of ["commands", "languages", "window", "workspace", "env"]) {
  observedVscode[name] = namespace(name);
}

const file = join(__dirname, "extension.packed.cjs");
const load = new Function(
  "module",
  "exports",
  "require",
  "__filename",
  "__dirname",
  readFileSync(file, "utf8"),
);
const loaded = { exports: {} };
load(
  loaded,
  loaded.exports,
  (name) => (name === "vscode" ? observedVscode : require(name)),
  file,
  __dirname,
);
module.exports = loaded.exports;
