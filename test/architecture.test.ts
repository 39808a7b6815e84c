/** Who imports whom, as docs/architecture.md says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

/**
 * The storeys, from the ground up. A storey imports from those below it, never from one above, lazily or for
 * types. The rooms of the core stand on each other as ROOMS says.
 */
const STOREYS: readonly string[] = ["core", "codecs", "stores", "formats", "tiles", "work", "cli", "zarrita"];
/** The entries `wazarr` and `wazarr/extend`, which export what the storeys have. */
const ENTRIES_OF_ALL = ["index", "extend"];

/** The rooms of the core, and the rooms that each may import from, lazily too. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  kernels: ["base"],
  "data-types": ["base", "kernels", "metadata"],
  metadata: ["base", "data-types"],
  grid: ["base", "data-types", "metadata"],
  "core/stores": ["base", "core/codecs", "grid", "kernels", "metadata"],
  // Bytes come to codecs; they know no stores.
  "core/codecs": ["base", "data-types", "grid", "kernels", "metadata"],
  // Until the engine is deleted, they import each other: the line has its prepared arrays and its limits from
  // the engine, which hands over the reads that the line does (core/line/prepare.ts).
  "core/line": ["base", "core/codecs", "core/stores", "data-types", "engine", "grid", "kernels", "metadata"],
  engine: ["base", "core/codecs", "core/line", "data-types", "grid", "kernels", "metadata", "core/stores"],
  array: [
    "base",
    "core/codecs",
    "core/line",
    "data-types",
    "engine",
    "grid",
    "kernels",
    "metadata",
    "core/stores",
    "workers",
  ],
  // The engine in another thread. What goes to a worker is a band, with its place in the result, and comes
  // back decoded and placed there. A port that passes chunks would cost the calling thread a copy of all
  // elements, so the port is `ChunkWorkers` of engine/chunk-workers.ts, seen from the other side.
  workers: ["base", "core/codecs", "data-types", "engine", "grid", "kernels", "metadata", "core/stores"],
};

/** Arrows that still lead up, by the storey or room that they begin in. None may be added. */
const UP: Readonly<Record<string, readonly RegExp[]>> = {
  // Which code a name in a document loads.
  "core/codecs": [/^src\/codecs\//, /^src\/zarrita\/(codecs|standalone-codecs)\.ts$/],
  array: [/^src\/formats\/draft\//, /^src\/zarrita\/codecs\.ts$/],
  workers: [/^src\/formats\/draft\/documents\.ts$/],
};

/** The files that are entries of package.json. */
const ENTRIES: readonly string[] = Object.values<string | { readonly types: string }>(
  JSON.parse(readFileSync("package.json", "utf8")).exports,
).flatMap((target) =>
  typeof target === "string" ? [] : target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts"),
);

/** Rooms that import of the storeys below what an application can import: entries of the package. */
const WALLED = /^src\/(formats\/(xarray|ome-zarr|geozarr|arrow|ndarray)|tiles|cli|work\/jobs)[/.]/;

/** What is no entry, and may be imported by rooms within the wall all the same. */
const INSIDE: Readonly<Record<string, readonly RegExp[]>> = {
  // The command line alone reads and writes files of numpy.
  cli: [/^src\/formats\/npy\/file\.ts$/],
  work: [
    // A job is a function of an entry in pieces: `copyNode`, `writeMultiscale`. The pieces are made and run
    // by the same code as the whole, and whoever runs jobs of his own has the whole, or `planCopy`.
    /^src\/(work\/(copy|consolidated-copy)|array\/copy-chunks)\.ts$/,
    /^src\/formats\/ome-zarr\/plan-levels\.ts$/,
    // Tasks write the documents of nodes as bytes that the plan has fixed, and replace nodes whose chunks
    // other tasks are writing already: all that is known of documents, in every format.
    /^src\/(array\/(create|erase|open|read-document|rewrite-documents)|formats\/draft\/(open|entry-point))\.ts$/,
    /^src\/metadata\/path\.ts$/,
    // Arithmetic on shapes and lengths, without state: fifteen names that nobody else has asked for.
    /^src\/grid\//,
    /^src\/array\/read-runs\.ts$/,
    // A store over a store passes on what counts of it, by the table that the core asks.
    /^src\/core\/stores\/faster-ways\.ts$/,
  ],
};

/**
 * Circles that are still there, through types alone: rollup refuses circles of values. A file that is not in
 * the list of a knot may not become a part of it.
 */
const KNOTS: readonly { readonly why: string; readonly files: readonly string[] }[] = [
  {
    why: "nodes have `getChunk`, so their types and those of reads and caches are of each other",
    files: [
      ...["chunk-cache", "decoded-chunks", "draw-options", "get", "get-options", "grouped-reads"],
      ...["nodes", "prepare-for", "result-bytes", "set"],
    ].map((name) => `src/array/${name}.ts`),
  },
  {
    why: "a codec may hold a whole pipeline (shards), and a pipeline is made of codecs",
    files: ["array-stage", "byte-stage", "codec", "decoder-result", "pipeline", "stored-copy"].map(
      (name) => `src/core/codecs/${name}.ts`,
    ),
  },
];

interface Import {
  readonly path: string;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".generated.ts"))
  .map((file) => join("src", file).split(sep).join("/"));

/** What each file imports and exports from, of src. The types of `import("...")` count as lazy. */
const imports: ReadonlyMap<string, readonly Import[]> = new Map(
  files.map((file) => {
    const found = readFileSync(file, "utf8").matchAll(
      /(?:\b(?:import|export) (type )?(\{[^}]*\}|[^{}";]*?)\s*from |import |(import\())"(\.[^"]+)\.js"/g,
    );
    const each = Array.from(found, ([, type, names = "", lazy, path]) => ({
      path: join(dirname(file), `${path}.ts`).split(sep).join("/"),
      isType: type !== undefined || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names),
      isLazy: lazy !== undefined,
    }));
    return [file, each.filter(({ path }) => !path.endsWith(".generated.ts"))];
  }),
);

/** The storey of a file, and its room: in the core a room of ROOMS, elsewhere the storey. */
function placeOf(file: string): { readonly storey: string; readonly room: string } {
  const [, first = "", second = ""] = file.split("/");
  const storey = first.replace(/\.ts$/, "");
  const room = storey === "core" ? `core/${second}` : storey;
  return { storey: Object.hasOwn(ROOMS, room) ? "core" : storey, room };
}
const floorOf = (file: string): number => {
  const { storey } = placeOf(file);
  return ENTRIES_OF_ALL.includes(storey) ? STOREYS.length : STOREYS.indexOf(storey);
};

test("every file is on a storey", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
});

test("src/README.md says of each folder what is in it", () => {
  const text = readFileSync("src/README.md", "utf8");
  const foldersIn = (folder: string): string[] =>
    readdirSync(join("src", folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  const isThere = (folder: string): boolean => text.includes(`\`${folder}/\``);
  const folders = foldersIn("").flatMap((storey) => (isThere(storey) ? [storey] : foldersIn(storey)));
  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !isThere(folder))).toEqual([]);
});

test("no arrow leads up, types and what is loaded lazily included", () => {
  const unused = new Set(Object.values(UP).flat());
  const wrong = files.flatMap((file) => {
    const { storey, room } = placeOf(file);
    return (imports.get(file) ?? [])
      .filter(({ path }) => {
        const other = placeOf(path);
        if (other.room === room || ENTRIES.includes(path)) return false;
        if (storey === "core" && other.storey === "core") return !ROOMS[room]?.includes(other.room);
        if (floorOf(path) <= floorOf(file)) return false;
        const known = UP[room]?.find((each) => each.test(path));
        if (known) unused.delete(known);
        return known === undefined;
      })
      .map(({ path }) => `${file} imports ${path}`);
  });
  expect(wrong).toEqual([]);
  expect([...unused]).toEqual([]);
});

test("codecs and stores do not know each other", () => {
  // What a message says of itself, and where its points lie: the codec and files of messages read the same.
  const shared = /^src\/codecs\/archives\/grib\/(sections|coordinates|grid)\.ts$/;
  const strangers = [/^src\/codecs\//, /^src\/stores\//];
  const wrong = files
    .filter((file) => strangers.some((each) => each.test(file)))
    .flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(({ path }) => strangers.some((each) => each.test(path) && !each.test(file)))
        .filter(({ path }) => !(file.startsWith("src/stores/virtual/grib/") && shared.test(path)))
        .map(({ path }) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
});

test("rooms within a wall import entries of the package, and what is allowed besides", () => {
  expect(ENTRIES.filter((entry) => !files.includes(entry))).toEqual([]);
  expect(ENTRIES.length).toBeGreaterThan(20);
  const unused = new Set(Object.values(INSIDE).flat());
  const roomOf = (file: string): string | undefined => WALLED.exec(file)?.[0].slice(0, -1);
  const wrong = files
    .filter((file) => roomOf(file) !== undefined)
    .flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(({ path }) => {
          if (roomOf(path) === roomOf(file) || ENTRIES.includes(path)) return false;
          const allowed = INSIDE[placeOf(file).storey]?.find((each) => each.test(path));
          if (allowed) unused.delete(allowed);
          return allowed === undefined;
        })
        .map(({ path }) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
  expect([...unused]).toEqual([]);
});

test("the viewer imports entries of the package alone", () => {
  const viewer = readdirSync("examples/viewer/src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("examples/viewer/src", file));
  const imported = viewer.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const found = text.matchAll(/(?:from |import |import\()"(wazarr[^"]*|(?:\.\.\/)+src\/[^"]*)"/g);
    return Array.from(found, ([, name = ""]) => name);
  });
  expect(imported.length).toBeGreaterThan(10);
  // The viewer is built with names of files of dist (examples/viewer/vite.config.ts).
  const built = new Set(
    Object.values<string | { readonly default: string }>(
      JSON.parse(readFileSync("package.json", "utf8")).exports,
    ).map((target) => (typeof target === "string" ? "" : target.default)),
  );
  const entryOf = (name: string): string => `./dist/${name.replace(/^wazarr\/?/, "") || "index"}.js`;
  expect(imported.filter((name) => !built.has(entryOf(name)))).toEqual([]);
});

test("nobody imports the workers but by their entry, lazily: the engine knows a port", () => {
  const importers = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ path }) => placeOf(path).room === "workers" && placeOf(file).room !== "workers")
      .map(({ path, isType, isLazy }) => ({ file, path, isLate: isType || isLazy })),
  );
  expect(importers.length).toBeGreaterThan(0);
  for (const { file, path, isLate } of importers)
    expect([path, isLate], file).toEqual(["src/workers/pool.ts", true]);
});

/** The files that are on a circle, by circle: strongly connected components, by Tarjan's algorithm. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    let least = number;
    numbers.set(file, number);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      const known = numbers.get(next);
      if (known === undefined) least = Math.min(least, visit(next));
      else if (stack.includes(next)) least = Math.min(least, known);
    }
    if (least < number) return least;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file)) found.push(circle.sort());
    return least;
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return found;
}

test("no file imports itself by way of others, types included, besides the knots that are known", () => {
  const graph = new Map(
    files.map((file) => [
      file,
      (imports.get(file) ?? []).filter(({ isLazy }) => !isLazy).map(({ path }) => path),
    ]),
  );
  // The search itself: a circle of three, a file that imports itself, and one that imports a circle and is on
  // none.
  const small = { a: ["b"], b: ["c"], c: ["a"], d: ["d", "a"], e: ["a", "d"] };
  expect(circles(new Map(Object.entries(small)))).toEqual([["a", "b", "c"], ["d"]]);
  const unknown = circles(graph).filter(
    (circle) => !KNOTS.some((knot) => circle.every((file) => knot.files.includes(file))),
  );
  expect(unknown).toEqual([]);
});

test("no codec imports itself by way of others lazily either: the registry hands itself to codecs that need others", () => {
  const codecs = files.filter((file) => /^src\/(core\/)?codecs\//.test(file));
  const graph = new Map(codecs.map((file) => [file, (imports.get(file) ?? []).map(({ path }) => path)]));
  const unknown = circles(graph).filter(
    (circle) => !KNOTS.some((knot) => circle.every((file) => knot.files.includes(file))),
  );
  expect(codecs.length).toBeGreaterThan(150);
  expect(unknown).toEqual([]);
});

test("one wrapper makes codecs that are only read", () => {
  const others = files.filter(
    (file) =>
      /^src\/(core\/)?codecs\//.test(file) &&
      /reads \$\{\w+\} and does not write/.test(readFileSync(file, "utf8")),
  );
  expect(others).toEqual(["src/core/codecs/read-only.ts"]);
});

test("scratch memory is used inside `kernels.within`: nobody opens the arena for good, or looks at its buffer", () => {
  const others = files.filter((file) => !file.startsWith("src/kernels/"));
  const wrong = others.filter((file) =>
    /\bkernels\.begin\(|allocate\(0\)\.buffer|scratchByteLength \+ \d/.test(readFileSync(file, "utf8")),
  );
  expect(wrong).toEqual([]);
});

/** `const { [name]: index = 0 } = indices`, `map.get(name) ?? 0` and `byteOrZero` say what may be absent. */
test("no item out of range is read as 0: `at` and `noItem` of src/base/at.ts throw", () => {
  const wrong = files.filter((file) => /\]\s*\?\?\s*0/.test(readFileSync(file, "utf8")));
  expect(wrong).toEqual([]);
});

test("what the benchmark's page imports needs no module of Node", async () => {
  // Built near the end of a report of half an hour, which would fail there.
  const { outputFiles } = await build({
    entryPoints: ["bench/sections/browser-page.ts"],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  expect(outputFiles[0]?.contents.length).toBeGreaterThan(10_000);
});

const page = readFileSync("docs/architecture.md", "utf8");

test("docs/architecture.md names files and folders that are there", () => {
  const named = [...page.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(40);
  const roots = ["src", ".", "src/core/codecs/gzip", "src/data-types"];
  const isThere = (name: string): boolean => roots.some((root) => existsSync(join(root, name)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("its picture has every room of src", () => {
  const picture = page.slice(page.indexOf("```"), page.indexOf("```", page.indexOf("```") + 3));
  const inSrc = readdirSync("src", { withFileTypes: true }).filter(({ name }) => name !== "README.md");
  const rooms = inSrc.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  expect(rooms.filter((room) => room !== "README.md" && !picture.includes(room))).toEqual([]);
});
