// dist/widget.js: the viewer as one module, as anywidget takes it, with the licences of what is bundled.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const HERE = join(import.meta.dirname, "..");
const { metafile } = await build({
  entryPoints: [join(HERE, "src/widget.ts")],
  outfile: join(HERE, "dist/widget.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  // The viewer opens no addresses and no files: Python does. What Node alone loads is never loaded here.
  external: ["node:*", "wazarr/stores/open-store", "*/stores/virtual/index.js", "proj4"],
  define: { "import.meta.url": '"about:blank"' },
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

const folders = new Set(
  Object.keys(metafile.inputs).flatMap(
    (file) => file.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? [],
  ),
);
const licenses = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"]
    .map((each) => join(folder, each))
    .find(existsSync);
  return `## ${name} ${version} (${license})\n\n${text === undefined ? "" : readFileSync(text, "utf8")}`;
});
writeFileSync(join(HERE, "dist/licenses.md"), `# What is in widget.js\n\n${licenses.join("\n\n")}`);
cpSync("LICENSE", join(HERE, "LICENSE"));
