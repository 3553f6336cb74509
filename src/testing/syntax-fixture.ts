/** The installed grammars for tests, loaded once per test process. */
import { installedGrammars } from "../host/grammars.ts";
import { createSyntax, type Syntax } from "../syntax/index.ts";

/** Syntax whose parses are never given up: a test does not depend on the speed of its machine. */
export const testSyntax: Syntax = createSyntax({ source: installedGrammars, now: () => 0 });

/** Syntax by a clock of the test's own. */
export function syntaxWithClock(now: () => number): Syntax {
  return createSyntax({ source: installedGrammars, now });
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

const memories: Memory[] = [];
const host = globalThis as unknown as {
  readonly WebAssembly: { Memory: new (descriptor: object) => Memory };
};
const Original = host.WebAssembly.Memory;
host.WebAssembly.Memory = class extends Original {
  constructor(descriptor: object) {
    super(descriptor);
    memories.push(this);
  }
};

/** Bytes of the memories in which the libraries keep their trees. They grow, and never shrink. */
export function treeMemoryBytes(): number {
  return memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}
