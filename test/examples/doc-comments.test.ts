/** The examples in doc comments of public functions run, against the package as it was built. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** What they use, besides names of the package. */
const BEFORE = `import * as wazarr from "wazarr";
const entries = [
  ...["xarray", "ome-zarr", "geozarr", "tiles", "jobs", "arrow"],
  ...["caches", "codecs", "copy", "data-types", "extend", "stores"],
];
const others = await Promise.all(entries.map((name) => import("wazarr/" + name)));
const all = Object.assign({}, ...others, wazarr);
const forecast = async () => {
  const store = new wazarr.MemoryStore();
  await wazarr.create(store);
  await wazarr.create(wazarr.root(store).resolve("t2m"), {
    shape: [4, 721, 1440], dtype: "float32", chunkShape: [1, 721, 1440],
    dimensionNames: ["time", "latitude", "longitude"],
  });
  const time = await wazarr.create(wazarr.root(store).resolve("time"), {
    shape: [4], dtype: "int32", dimensionNames: ["time"], attributes: { units: "hours since 2026-08-01" },
  });
  await wazarr.set(time, null, { data: Int32Array.of(0, 6, 12, 18), shape: [4] });
  return store;
};
const store = await forecast();
const array = await wazarr.open(wazarr.root(store).resolve("t2m"), { kind: "array" });
await wazarr.set(array, [0, 10, 20], 1);`;
/** Calls that need a store in which nothing is, or nothing that other examples changed. */
const OWN_STORES = [
  ["create(", "const store = new wazarr.MemoryStore();"],
  ["writeDataset(", "const store = new wazarr.MemoryStore();"],
  ["openDataset(", "const store = await forecast();"],
] as const;

/** Classes of the package that examples make. */
const CLASSES = ["ChunkCache"];

const EXAMPLE = /@example\n \* ```ts\n((?: \* .*\n)*?) \* ```/g;

/** Blocks cannot hold imports. */
const IMPORT = /^import (\{.*\}) from (".*");$/gm;
const LOADED = "const $1 = await import($2);";

const examples = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => {
    const blocks = readFileSync(join("src", name), "utf8").matchAll(EXAMPLE);
    // Those that open files of other formats, or what is on the web, are not run here.
    const found = [...blocks].filter(
      ([code]) =>
        !/open(?:Virtual|GeoZarr|OmeZarr|Healpix|AnnData|SpatialData)\(|planCopy\(|"(?:https|s3|gs|az):/.test(
          code,
        ),
    );
    return Array.from(found, ([, code = ""]) => code.replaceAll(/^ \* /gm, "").replaceAll(IMPORT, LOADED));
  });

test("they run one after the other", async () => {
  expect(examples.length).toBeGreaterThanOrEqual(10);
  mkdirSync("build", { recursive: true });
  // Inside of the package, which there knows itself by its name.
  const folder = resolve(mkdtempSync(join("build", "comments-")));
  try {
    const blocks = examples.map((code, i) => {
      const names = /await import\(/.test(code) ? [] : [...new Set(code.match(/\b[a-z]\w*(?=\()/g))];
      names.push(...CLASSES.filter((name) => code.includes(`new ${name}(`)));
      const imported = names.map((name) => `const ${name} = all.${name};`);
      const own = OWN_STORES.find(([call]) => code.includes(call))?.[1] ?? "";
      // A call of a method is no name of the package.
      const used = imported.filter((line) => !/ log /.test(line)).join(" ");
      return `{ ${used} ${own}\n${code}\n}\nconsole.log("done ${i}");`;
    });
    const program = join(folder, "examples.mjs");
    writeFileSync(program, [BEFORE, ...blocks].join("\n"));
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
    expect(stdout.match(/^done \d+$/gm)).toEqual(examples.map((_, i) => `done ${i}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
