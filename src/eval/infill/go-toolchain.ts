/**
 * Go. `go build` wants a module and a cache that it may write, and compiles the standard library on
 * first use, so a program is compiled and linked by hand against packages that are made once. The
 * packages `testing` and `testify/assert` are stand-ins of ours with what the tests call: the real
 * ones need their own main program and a module from the network.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { goPackages } from "./go-program.ts";
import { type Toolchain, toolOutput } from "./toolchain.ts";

const testingPackage = `package testing

import "fmt"

type T struct{ failed bool }

func (t *T) Errorf(format string, args ...any) { t.failed = true; fmt.Printf(format+"\\n", args...) }
func (t *T) Error(args ...any)                 { t.failed = true; fmt.Println(args...) }
func (t *T) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (t *T) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (t *T) Log(args ...any)                   { fmt.Println(args...) }
func (t *T) Helper()                           {}
func (t *T) Fail()                             { t.failed = true }
func (t *T) FailNow()                          { panic("failed") }
func (t *T) Failed() bool                      { return t.failed }
func (t *T) Run(name string, f func(t *T)) bool { f(t); return !t.failed }
`;

const assertPackage = `package assert

import (
	"bytes"
	"reflect"
)

type TestingT interface{ Errorf(format string, args ...any) }

type Assertions struct{ t TestingT }

func New(t TestingT) *Assertions { return &Assertions{t} }

func same(expected, actual any) bool {
	a, isBytes := expected.([]byte)
	b, isAlso := actual.([]byte)
	if isBytes && isAlso && a != nil && b != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(expected, actual)
}

func isNil(value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return v.IsNil()
	}
	return false
}

func (a *Assertions) check(is bool, expected, actual any) bool {
	if !is {
		a.t.Errorf("expected %#v, got %#v", expected, actual)
	}
	return is
}

func (a *Assertions) Equal(expected, actual any, _ ...any) bool {
	return a.check(same(expected, actual), expected, actual)
}

func (a *Assertions) NotEqual(expected, actual any, _ ...any) bool {
	return a.check(!same(expected, actual), expected, actual)
}

func (a *Assertions) True(value bool, _ ...any) bool  { return a.check(value, true, value) }
func (a *Assertions) False(value bool, _ ...any) bool { return a.check(!value, false, value) }
func (a *Assertions) Nil(value any, _ ...any) bool    { return a.check(isNil(value), nil, value) }
func (a *Assertions) NotNil(value any, _ ...any) bool { return a.check(!isNil(value), "not nil", value) }

func Equal(t TestingT, expected, actual any, _ ...any) bool { return New(t).Equal(expected, actual) }
func True(t TestingT, value bool, _ ...any) bool            { return New(t).True(value) }
func False(t TestingT, value bool, _ ...any) bool           { return New(t).False(value) }
func Nil(t TestingT, value any, _ ...any) bool              { return New(t).Nil(value) }
`;

/** Import paths of the stand-ins. */
const standIns = [
  { path: "testing", source: testingPackage },
  { path: "github.com/stretchr/testify/assert", source: assertPackage },
];

/** Go, or in words why not. The first call on a machine compiles the packages, a minute or two. */
export async function goToolchain(options: {
  readonly cacheFolder: string;
}): Promise<Toolchain | string> {
  const version = await toolOutput("go", ["version"]);
  const root = await toolOutput("go", ["env", "GOROOT"]);
  if (version === null || root === null) return "go is not installed";
  const folder = join(options.cacheFolder, version.replace(/[^\w.-]+/g, "_"));
  const config = join(folder, "importcfg");
  if ((await readFile(config).catch(() => null)) === null) {
    if (!(await makePackages({ folder, config }))) {
      return `${version} does not compile its own standard library here`;
    }
  }
  const tool = `'${root}/bin/go' tool`;
  const compile = `${tool} compile -p main -importcfg '${config}' -o main.o main.go`;
  const link = `${tool} link -s -w -importcfg '${config}' -o main main.o`;
  return {
    id: "go",
    version,
    file: "main.go",
    others: {},
    command: ["sh", "-c", `${compile} && ${link} && exec ./main`],
    visible: [root, folder],
    environment: environmentOf("off"),
    limits: { processes: 128 },
  };
}

async function makePackages(about: {
  readonly folder: string;
  readonly config: string;
}): Promise<boolean> {
  const { folder, config } = about;
  await mkdir(folder, { recursive: true });
  const environment = environmentOf(join(folder, "build"));
  const listed = await toolOutput(
    "go",
    [
      ...[
        "list",
        "-export",
        "-deps",
        "-f",
        "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}",
      ],
      ...goPackages.map(({ path }) => path),
    ],
    environment,
  );
  if (listed === null) return false;
  const unfinished = `${config}.new`;
  let lines = listed
    .split("\n")
    .filter((line) => line.startsWith("packagefile ") && !line.startsWith("packagefile testing="));
  for (const [index, { path, source }] of standIns.entries()) {
    const [file, object] = [join(folder, `${index}.go`), join(folder, `${index}.a`)];
    await writeFile(file, source);
    await writeFile(unfinished, `${lines.join("\n")}\n`);
    const args = ["tool", "compile", "-p", path, "-importcfg", unfinished, "-o", object, file];
    if ((await toolOutput("go", args, environment)) === null) return false;
    lines = [...lines, `packagefile ${path}=${object}`];
  }
  await writeFile(unfinished, `${lines.join("\n")}\n`);
  await rename(unfinished, config);
  return true;
}

/** Nothing is fetched, no module is looked for. */
function environmentOf(cache: string): Readonly<Record<string, string>> {
  return {
    ...{ GO111MODULE: "off", GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "", GOENV: "off" },
    ...(cache === "off" ? {} : { GOCACHE: cache }),
  };
}
