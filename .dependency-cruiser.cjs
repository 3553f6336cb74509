// Who may import whom, read from layers.json; no cycles; hosts' modules only where a layer sees them.
const layers = require("./layers.json");

const names = Object.keys(layers);
const pure = names.filter((name) => layers[name].sees === "pure");
const boundaries = names.filter((name) => layers[name].boundary);

module.exports = {
  forbidden: [
    ...names.map((name) => ({
      name: `layer-${name}`,
      severity: "error",
      from: { path: `^src/${name}/`, pathNot: "\\.test\\.ts$" },
      to: { path: "^src/", pathNot: `^src/(${[name, ...layers[name].may].join("|")})/` },
    })),
    ...boundaries.map((name) => ({
      name: `boundary-${name}`,
      comment: `src/${name} is entered through its index.ts`,
      severity: "error",
      from: { path: "^src/", pathNot: `^src/${name}/|\\.test\\.ts$|^src/testing/` },
      to: { path: `^src/${name}/`, pathNot: `^src/${name}/index\\.ts$` },
    })),
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-host-in-pure-layers",
      severity: "error",
      from: { path: `^src/(${pure.join("|")})/`, pathNot: "\\.test\\.ts$" },
      // The parser library is the one package that a pure layer may use.
      to: { dependencyTypes: ["core", "npm", "npm-dev"], pathNot: "node_modules/web-tree-sitter" },
    },
    {
      name: "no-node-in-backend-and-web",
      severity: "error",
      from: { path: "^src/(backend|web)/", pathNot: "\\.test\\.ts$|vite\\.config\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "tests-only",
      severity: "error",
      from: { path: "^src/", pathNot: "\\.test\\.ts$|^src/testing/" },
      to: { path: "^src/testing/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.base.json" },
  },
};
