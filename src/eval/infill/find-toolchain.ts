/**
 * The compilers and interpreters that try an answer: where each is, and how a program is run with it
 * in the sandbox. None of them is ours to install; one that is missing is said.
 */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { goToolchain } from "./go-toolchain.ts";
import { lodashStub } from "./javascript-parts.ts";
import { type FoundToolchain, type Toolchain, type ToolchainId, toolOutput } from "./toolchain.ts";

/** Looks for it on this machine. `cacheFolder` keeps what takes long to make. */
export async function findToolchain(
  id: ToolchainId,
  options: { readonly cacheFolder: string },
): Promise<FoundToolchain> {
  const toolchain = id === "go" ? await goToolchain(options) : await finders[id]();
  if (typeof toolchain !== "string") return { kind: "found", toolchain };
  return { kind: "missing", reason: toolchain };
}

const bare = { others: {}, visible: [], environment: {}, limits: {} } as const;

const finders: Readonly<
  Record<Exclude<ToolchainId, "go">, () => Promise<Toolchain | string> | Toolchain | string>
> = {
  python: async () => {
    // What lies in PATH may be a script that picks one: the interpreter names itself.
    const says =
      "import sys; print(sys.executable, sys.base_prefix, sys.version.split()[0], sep='\\n')";
    const told = await toolOutput("python3", ["-c", says]);
    if (told === null) return "python3 is not installed";
    const [executable = "", prefix = "", version = ""] = told.split("\n");
    return {
      ...bare,
      id: "python",
      version: `Python ${version}`,
      file: "main.py",
      command: [executable, "-B", "main.py"],
      visible: [prefix, dirname(dirname(executable))],
    };
  },
  javascript: () => nodeToolchain("main.js"),
  typescript: () => {
    const node = nodeToolchain("main.ts");
    const esbuild = esbuildFile();
    if (esbuild === null) return "esbuild is not installed, which makes JavaScript of TypeScript";
    const build = `'${esbuild}' main.ts --format=cjs --log-level=error --outfile=main.js`;
    return {
      ...node,
      id: "typescript",
      version: `${node.version}, esbuild`,
      visible: [...node.visible, esbuild],
      others: { "node_modules/lodash/index.js": lodashStub },
      command: ["sh", "-c", `${build} && exec '${process.execPath}' main.js`],
    };
  },
  java: async () => {
    const told = await toolOutput("java", ["-XshowSettings:properties", "-version"]);
    const home = /java\.home = (.+)/.exec(told ?? "")?.[1];
    const version = /java\.version = (.+)/.exec(told ?? "")?.[1];
    if (home === undefined || !existsSync(join(home, "bin", "javac"))) {
      return "no Java development kit is installed";
    }
    const small = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -Xshare:auto";
    const compile = `'${home}/bin/javac' ${flagsForJavac(small)} -d . Main.java`;
    return {
      ...bare,
      id: "java",
      version: `Java ${version ?? ""}`,
      file: "Main.java",
      command: ["sh", "-c", `${compile} && exec '${home}/bin/java' ${small} -cp . Main`],
      visible: [home, ...settingsOfJava()],
      limits: { processes: 128 },
    };
  },
  rust: async () => {
    const sysroot = await toolOutput("rustc", ["--print", "sysroot"]);
    const version = await toolOutput("rustc", ["--version"]);
    if (sysroot === null || version === null) return "rustc is not installed";
    const compile = `'${sysroot}/bin/rustc' --edition 2021 --test -A warnings -C debuginfo=0 main.rs`;
    return {
      ...bare,
      id: "rust",
      version,
      file: "main.rs",
      command: ["sh", "-c", `${compile} && exec ./main --test-threads 1`],
      visible: [sysroot],
    };
  },
  cpp: async () => {
    const version = await toolOutput("g++", ["--version"]);
    if (version === null) return "g++ is not installed";
    return {
      ...bare,
      id: "cpp",
      version: version.split("\n")[0] ?? "",
      file: "main.cpp",
      command: ["sh", "-c", "g++ -std=c++17 -w main.cpp -o main && exec ./main"],
    };
  },
};

function nodeToolchain(file: string): Toolchain {
  return {
    ...bare,
    id: "javascript",
    version: `Node ${process.version}`,
    file,
    command: [process.execPath, file],
    visible: [realpathSync(process.execPath), process.execPath],
  };
}

/** The program itself, for which no script has to start Node once more; `null` when it is not there. */
function esbuildFile(): string | null {
  const name = `@esbuild/${process.platform}-${process.arch}/bin/esbuild`;
  try {
    const ownRequire = createRequire(import.meta.url);
    return createRequire(ownRequire.resolve("esbuild")).resolve(name);
  } catch {
    return null;
  }
}

function flagsForJavac(flags: string): string {
  return flags
    .split(" ")
    .map((flag) => `-J${flag}`)
    .join(" ");
}

/** Debian keeps files of its Java outside of the Java home. */
function settingsOfJava(): readonly string[] {
  if (!existsSync("/etc")) return [];
  const folders = readdirSync("/etc").filter((name) => name.startsWith("java"));
  return folders.map((name) => join("/etc", name));
}
