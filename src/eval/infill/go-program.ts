/**
 * What stands around the Go code of a task. Go refuses a program that imports a package and does not
 * use it, so an answer would fail for being shorter than the solution: every package is imported, and
 * used once after the tests. Packages that the code imports itself are left to it.
 */

/** Packages that programs may use, and something of each. Others fail to compile. */
export const goPackages: readonly { readonly path: string; readonly something: string }[] = [
  { path: "bytes", something: "bytes.Equal" },
  { path: "container/heap", something: "heap.Init" },
  { path: "container/list", something: "list.New" },
  { path: "crypto/md5", something: "md5.New" },
  { path: "encoding/hex", something: "hex.EncodeToString" },
  { path: "errors", something: "errors.New" },
  { path: "fmt", something: "fmt.Sprint" },
  { path: "math", something: "math.Abs" },
  { path: "math/big", something: "big.NewInt" },
  { path: "math/bits", something: "bits.Len" },
  { path: "math/cmplx", something: "cmplx.Abs" },
  { path: "math/rand", something: "rand.Int" },
  { path: "os", something: "os.Exit" },
  { path: "reflect", something: "reflect.DeepEqual" },
  { path: "regexp", something: "regexp.MustCompile" },
  { path: "slices", something: "slices.Sort[[]int]" },
  { path: "sort", something: "sort.Ints" },
  { path: "strconv", something: "strconv.Itoa" },
  { path: "strings", something: "strings.ToLower" },
  { path: "time", something: "time.Now" },
  { path: "unicode", something: "unicode.IsLetter" },
  { path: "unicode/utf8", something: "utf8.RuneLen" },
];

/** Head and tail of the program around `code`, whose tests are `tests`. */
export function goFrame(
  code: string,
  tests: string,
): { readonly head: string; readonly tail: string } {
  const own = new Set(
    [...code.matchAll(/^\s*(?:import\s+)?"([\w/]+)"\s*$/gm)].map(([, path]) => path),
  );
  const imports = ["testing", "github.com/stretchr/testify/assert"]
    .concat(goPackages.map(({ path }) => path).filter((path) => !own.has(path)))
    .map((path) => `\t"${path}"\n`);
  const uses = goPackages.map(({ something }) => `var _ = ${something}\n`);
  const names = [...tests.matchAll(/^func (Test\w+)\(/gm)].map(([, name = ""]) => name);
  const calls = names.map((name) => `\t${name}(t)\n`);
  const main = `func main() {\n\tt := &testing.T{}\n${calls.join("")}\tif t.Failed() {\n\t\tpanic("failed")\n\t}\n}\n`;
  return {
    head: `package main\n\nimport (\n${imports.join("")})\n\n`,
    tail: `\n${tests}\nvar _ = assert.New\n${uses.join("")}\n${main}`,
  };
}
