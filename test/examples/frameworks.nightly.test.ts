/**
 * The components of docs/frameworks.md, in Chromium: they show a region, and another one when their property
 * changes. Svelte and Vue are no devDependencies (scripts/oracles/bundlers.json).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, startBrowser } from "../bundlers/serve.js";
import { readOracles } from "../setup/oracles.js";

const { bundlers, chromium } = readOracles();
const home = resolve(".oracles/bundlers");

function blocksOf(language: string): string {
  const text = readFileSync("docs/frameworks.md", "utf8");
  const blocks = Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms")),
    ([, code = ""]) => code,
  );
  return blocks.join("").replaceAll('"https://example.com', 'location.origin + "/data');
}

/** Tells what is shown first, then what is shown after `next()`. */
const TELL = `
async function tell(next) {
  const app = document.getElementById("app");
  const shown = async (before) => {
    while (!/\\d/.test(app.textContent) || app.textContent === before) await new Promise((done) => setTimeout(done, 20));
    return app.textContent;
  };
  const first = await shown();
  next();
  document.title = JSON.stringify([first, await shown(first)]);
}`;

/** tsconfig.json says that JSX is Preact's. */
const REACT = `/** @jsxImportSource react */
${blocksOf("jsx")}
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
const root = createRoot(document.getElementById("app"));
const render = (row) => root.render(<StrictMode><Elevations row={row} /></StrictMode>);
render(0);
void tell(() => render(1));
${TELL}`;

const AROUND = `<script>
  import Elevations from "./Elevations.svelte";
  let row = $state(0);
  void tell(() => row++);
  ${TELL}
</script>
<Elevations {row} />`;

const MOUNT = `import { mount } from "svelte";
import Around from "./Around.svelte";
mount(Around, { target: document.getElementById("app") });`;

interface SvelteCompiler {
  compile(source: string, options: object): { js: { code: string }; warnings: readonly object[] };
}

const VUE = `import { createApp, h, ref } from "vue";
import Elevations from "./Elevations.vue";
const row = ref(0);
createApp({ render: () => h(Elevations, { row: row.value }) }).mount("#app");
void tell(() => row.value++);
${TELL}`;

interface VueCompiler {
  parse(source: string): { descriptor: object };
  compileScript(descriptor: object, options: object): { content: string };
}

const vue: Plugin = {
  name: "vue",
  setup({ onLoad }) {
    const compiler: VueCompiler = createRequire(join(home, "package.json"))("vue/compiler-sfc");
    onLoad({ filter: /\.vue$/ }, ({ path }) => {
      const { descriptor } = compiler.parse(readFileSync(path, "utf8"));
      return { contents: compiler.compileScript(descriptor, { id: path, inlineTemplate: true }).content };
    });
  },
};

const svelte: Plugin = {
  name: "svelte",
  setup({ onLoad }) {
    const { compile }: SvelteCompiler = createRequire(join(home, "package.json"))("svelte/compiler");
    onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const { js, warnings } = compile(readFileSync(path, "utf8"), { generate: "client", filename: path });
      return { contents: js.code, warnings: warnings.map((warning) => ({ text: String(warning) })) };
    });
  },
};

describe.skipIf(!chromium || !bundlers?.svelte)("components", () => {
  let folder: string;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    mkdirSync("build", { recursive: true });
    folder = resolve(mkdtempSync(join("build", "frameworks-")));
    writeFileSync(join(folder, "react.jsx"), REACT);
    writeFileSync(join(folder, "Elevations.svelte"), blocksOf("svelte"));
    writeFileSync(join(folder, "Around.svelte"), AROUND);
    writeFileSync(join(folder, "svelte.js"), MOUNT);
    writeFileSync(join(folder, "Elevations.vue"), blocksOf("vue"));
    writeFileSync(join(folder, "vue.js"), VUE);
    browser = await startBrowser(chromium?.executable ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  test.each([
    ["React", "react.jsx"],
    ["Svelte", "svelte.js"],
    ["Vue", "vue.js"],
  ])("%s", async (name, entry) => {
    const { warnings } = await build({
      entryPoints: [join(folder, entry)],
      outfile: join(folder, name, "app.js"),
      bundle: true,
      format: "esm",
      jsx: "automatic",
      nodePaths: [join(home, "node_modules")],
      // The package of hooks is this repository's, on wazarr as it was built.
      alias: {
        "@wazarr/react": resolve("packages/react/src/index.ts"),
        "wazarr/stores/open-store": resolve("dist/stores/open-store-browser.js"),
        wazarr: resolve("dist/index.js"),
        "wazarr/tiles": resolve("dist/tiles.js"),
        react: resolve("node_modules/react"),
        "react-dom": resolve("node_modules/react-dom"),
      },
      plugins: [svelte, vue],
    });
    expect(warnings).toEqual([]);
    writeFileSync(
      join(folder, name, "index.html"),
      '<!doctype html><div id="app"></div><script type="module" src="app.js"></script>',
    );
    const site = await serve({ data: "examples/data", "": join(folder, name) });
    try {
      const titles: unknown = JSON.parse(await browser.titleOf(`${site.url}/index.html`));
      expect(titles).toEqual(["483 487 491", "475 486 489"]);
    } finally {
      site.close();
    }
  });
});
