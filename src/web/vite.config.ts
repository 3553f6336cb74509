/** Bundles the playground and the dashboard into dist/web: hashed files, no inline script, nothing from another host. */
const config: Readonly<Record<string, unknown>> = {
  // Relative addresses: the page also works behind a proxy that serves it under a path.
  base: "./",
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    rolldownOptions: { input: { index: "index.html", dashboard: "dashboard.html" } },
    // What is bundled here is given away with the package: so are its licences.
    license: { fileName: "licenses.md" },
    // A data: address would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The editor is one chunk of its own size, known and accepted.
    chunkSizeWarningLimit: 4000,
  },
};

export default config;
