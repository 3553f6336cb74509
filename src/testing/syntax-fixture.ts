/** The installed grammars for tests, loaded once per test process. */
import { installedGrammars } from "../host/grammars.ts";
import { createSyntax, type Syntax } from "../syntax/index.ts";

/** Syntax whose parses are never given up: a test does not depend on the speed of its machine. */
export const testSyntax: Syntax = createSyntax({ source: installedGrammars, now: () => 0 });
