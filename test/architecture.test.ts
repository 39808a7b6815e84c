/** Who imports whom, as docs/architecture.md says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

/**
 * The files of src that are rooms of their own, or belong to one. Every other file of src, and every folder,
 * is the room of its name.
 */
const ROOM_OF_FILE: ReadonlyMap<string, string> = new Map([
  ...["abort", "at", "bounded-cache", "errors", "fflate", "loading", "option-names", "shape", "turns"].map(
    (name) => [name, "base"] as const,
  ),
  ...["index", "zarrita-names"].map((name) => [name, "public"] as const),
]);

/**
 * The rooms that a room may import from, lazily too; of "type:" rooms types alone. A new arrow is a decision:
 * docs/architecture.md shows them.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  kernels: ["base"],
  "data-types": ["base", "kernels", "metadata"],
  metadata: ["base", "data-types"],
  grid: ["base", "type:data-types", "metadata"],
  stores: ["base", "codecs", "grid", "kernels", "metadata"],
  codecs: ["base", "data-types", "grid", "kernels", "metadata", "stores"],
  npy: ["base", "data-types", "kernels", "metadata"],
  engine: ["base", "codecs", "data-types", "grid", "kernels", "metadata", "stores"],
  array: ["base", "codecs", "data-types", "engine", "grid", "kernels", "metadata", "stores"],
  // Calculations on elements that several of the rooms below need.
  elements: ["array", "base", "codecs", "data-types", "grid", "kernels", "type:stores"],
  // The entries `wazarr` and `wazarr/extend`.
  public: [
    ...["array", "base", "codecs", "data-types", "type:engine", "grid", "kernels", "metadata", "stores"],
  ],
  extend: ["array", "base", "data-types", "elements", "engine", "grid", "metadata", "stores"],
  // Who extends wazarr imports public entries alone, as anybody else would.
  xarray: ["extend", "public", "stores"],
  "ome-zarr": ["extend", "public"],
  geozarr: ["extend", "public"],
  tiles: ["extend", "geozarr", "public"],
  arrow: ["extend", "public"],
  ndarray: ["extend", "public"],
  // npy/ is the command line's own: it alone reads such files.
  cli: ["extend", "jobs", "npy", "ome-zarr", "public", "stores", "workers", "xarray"],
  // The entries of `@zarrita/storage`.
  storage: ["stores"],
  // Codecs with the packages that they need.
  images: ["codecs", "public"],
  // Behind a wall but for `INSIDE`.
  jobs: ["array", "extend", "grid", "metadata", "ome-zarr", "public", "stores", "xarray"],
  // Not behind a wall: a worker is the engine in another thread. What goes to it is a band, with its place in
  // the result, and comes back decoded and placed there. A port that passes chunks ("decode these bytes with
  // these codecs") would cost the calling thread a copy of all elements, so the port is `ChunkWorkers` of
  // engine/chunk-workers.ts, seen from the other side: the engine knows no threads.
  workers: ["base", "codecs", "data-types", "engine", "type:grid", "kernels", "metadata", "stores"],
};

/** What rooms behind a wall may import of other rooms: the files that are entries of package.json. */
const ENTRIES: readonly string[] = Object.values<string | { readonly types: string }>(
  JSON.parse(readFileSync("package.json", "utf8")).exports,
).flatMap((target) =>
  typeof target === "string" ? [] : target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts"),
);
const WALLED = ["xarray", "ome-zarr", "geozarr", "tiles", "arrow", "ndarray", "jobs", "cli"];

/** What is no entry, and may be imported by rooms behind a wall all the same. */
const INSIDE: Readonly<Record<string, readonly RegExp[]>> = {
  // The command line's own.
  cli: [/^src\/npy\//],
  jobs: [
    // A job is a function of an entry in pieces: `copyNode`, `writeMultiscale`. The pieces are made and run
    // by the same code as the whole, and whoever runs jobs of his own has the whole, or `planCopy`.
    /^src\/array\/(copy|copy-chunks|consolidated-copy)\.ts$/,
    /^src\/ome-zarr\/plan-levels\.ts$/,
    // Tasks write the documents of nodes as bytes that the plan has fixed, and replace nodes whose chunks
    // other tasks are writing already: all that is known of documents, in every format.
    /^src\/array\/(create|erase|open|read-document|rewrite-documents|draft\/open)\.ts$/,
    /^src\/metadata\/(path|draft\/hierarchy)\.ts$/,
    // Arithmetic on shapes and lengths, without state: fifteen names that nobody else has asked for.
    /^src\/grid\//,
    /^src\/array\/read-runs\.ts$/,
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
      (name) => `src/codecs/${name}.ts`,
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

function roomOf(file: string): string {
  const name = (file.split("/")[1] ?? "").replace(/\.ts$/, "");
  return ROOM_OF_FILE.get(name) ?? name;
}

test("every file is in a room", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => !Object.hasOwn(ARROWS, roomOf(file)))).toEqual([]);
  const named = Object.values(ARROWS)
    .flat()
    .map((room) => room.replace(/^type:/, ""));
  expect(named.filter((room) => !Object.hasOwn(ARROWS, room))).toEqual([]);
});

test("files import from the rooms that theirs may import from, types and what is loaded lazily included", () => {
  const wrong = files.flatMap((file) => {
    const room = roomOf(file);
    return (imports.get(file) ?? [])
      .filter(({ path, isType }) => {
        const other = roomOf(path);
        const allowed = ARROWS[room] ?? [];
        return other !== room && !allowed.includes(other) && !(isType && allowed.includes(`type:${other}`));
      })
      .map(({ path, isType }) => `${file} imports ${isType ? "types of " : ""}${path}`);
  });
  expect(wrong).toEqual([]);
});

test("rooms behind a wall import entries of the package, and what is allowed besides", () => {
  expect(ENTRIES.filter((entry) => !files.includes(entry))).toEqual([]);
  expect(ENTRIES.length).toBeGreaterThan(20);
  const unused = new Set(Object.values(INSIDE).flat());
  const wrong = files
    .filter((file) => WALLED.includes(roomOf(file)))
    .flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(({ path }) => {
          if (roomOf(path) === roomOf(file) || ENTRIES.includes(path)) return false;
          const allowed = INSIDE[roomOf(file)]?.find((each) => each.test(path));
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
  // The viewer is built with names of files of src (examples/viewer/vite.config.ts).
  const entryOf = (name: string): string => `src/${name.replace(/^wazarr\/?/, "") || "index"}.ts`;
  expect(imported.filter((name) => !ENTRIES.includes(entryOf(name)))).toEqual([]);
});

test("nobody imports the workers but by their entry, lazily: the engine knows a port", () => {
  const importers = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ path }) => roomOf(path) === "workers" && roomOf(file) !== "workers")
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
  const rooms = readdirSync("src", { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  // The entries of rooms, which are named as they are.
  const entries = ["cli.ts", "geozarr.ts", "jobs.ts", "ome-zarr.ts", "tiles.ts", "xarray.ts"];
  expect(rooms.filter((room) => !entries.includes(room) && !picture.includes(room))).toEqual([]);
});
