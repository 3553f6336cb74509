/** What a program in the sandbox may use. Each limit is hard: the program cannot raise it again. */
export interface SandboxLimits {
  /** From the start to the end of the command, compilers included. */
  readonly wallMs: number;
  /** Processor time of one process. */
  readonly cpuSeconds: number;
  /** Memory that one process may write to, and the private memory of all of them together. */
  readonly memoryBytes: number;
  /** Processes and threads at once. */
  readonly processes: number;
  /** One file. */
  readonly fileBytes: number;
  /** All files in the scratch folder. */
  readonly scratchBytes: number;
  /** Standard output and error together; more ends the program. */
  readonly outputBytes: number;
}

/** For a task of a benchmark, whose own solutions need a hundredth of it. */
export const defaultSandboxLimits: SandboxLimits = {
  wallMs: 15_000,
  cpuSeconds: 15,
  memoryBytes: 1 << 30,
  processes: 64,
  fileBytes: 64 << 20,
  scratchBytes: 128 << 20,
  outputBytes: 1 << 20,
};
