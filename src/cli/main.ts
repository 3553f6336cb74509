#!/usr/bin/env node
/** The program `midspan`. */
import { tolerateLostOutput } from "./lost-output.ts";
import { runProgram } from "./program.ts";

tolerateLostOutput();
process.exitCode = await runProgram(process.argv.slice(2));
