/** Which prebuilt library of the embedded engine fits a machine. */
import { ENGINE_PACKAGE } from "./engine-version.ts";

/** A machine as Node names it. */
export interface EnginePlatform {
  readonly platform: string;
  readonly architecture: string;
}

/** What the prebuilt library can compute with; `cpu` everywhere but on Apple silicon. */
export type EngineVariant = (typeof engineVariants)[number];
export const engineVariants = ["cpu", "cuda", "vulkan"] as const;

/** Megabytes on the disk, the library's own 55 included; measured for Linux, published for others. */
const megabytes: Readonly<Record<EngineVariant, number>> = { cpu: 84, cuda: 244, vulkan: 140 };

const packages: Readonly<Record<string, readonly EngineVariant[]>> = {
  "linux-x64": ["cpu", "cuda", "vulkan"],
  "linux-arm64": ["cpu"],
  "linux-armv7l": ["cpu"],
  "linux-riscv64": ["cpu"],
  "mac-arm64-metal": ["cpu"],
  "mac-x64": ["cpu"],
  "win-x64": ["cpu", "cuda", "vulkan"],
  "win-arm64": ["cpu"],
};

/**
 * The package for a machine, such as `@node-llama-cpp/linux-x64`, and its size; `null` when nobody
 * builds one. Apple silicon has one that uses the GPU.
 */
export function enginePackage(
  { platform, architecture }: EnginePlatform,
  variant: EngineVariant,
): { readonly name: string; readonly megabytes: number } | null {
  const system = { linux: "linux", darwin: "mac", win32: "win" }[platform] ?? platform;
  const machine = architecture === "arm" ? "armv7l" : architecture;
  const base = system === "mac" && machine === "arm64" ? "mac-arm64-metal" : `${system}-${machine}`;
  if (packages[base]?.includes(variant) !== true) return null;
  const name = variant === "cpu" ? base : `${base}-${variant}`;
  return { name: `@${ENGINE_PACKAGE}/${name}`, megabytes: megabytes[variant] };
}
