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
/**
 * On top of all: the entries `wazarr` and `wazarr/extend`, which export what the storeys have, and `main`, which
 * fills the slots of the core.
 */
const ENTRIES_OF_ALL = ["index", "extend", "main"];
/** Where the core in another thread begins: it has the slots filled as an application has. */
const WORKER = "src/workers/worker.ts";

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
  "core/line": ["base", "core/codecs", "core/stores", "data-types", "grid", "kernels", "metadata"],
  array: [
    "base",
    "core/codecs",
    "core/line",
    "data-types",
    "grid",
    "kernels",
    "metadata",
    "core/stores",
    "workers",
  ],
  // What goes to a worker is a block, with its place in the result, and comes back decoded and placed there. A
  // port that passes chunks would cost the calling thread a copy of all elements, so the port is `ChunkWorkers`
  // of core/line/shared/chunk-workers.ts, seen from the other side.
  workers: ["base", "core/codecs", "core/line", "data-types", "grid", "kernels", "metadata", "core/stores"],
};

/** The files that are entries of package.json. */
const ENTRIES: readonly string[] = Object.values<string | { readonly types: string }>(
  JSON.parse(readFileSync("package.json", "utf8")).exports,
).flatMap((target) =>
  typeof target === "string" ? [] : target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts"),
);

/** Rooms that import of the storeys below what an application can import: entries of the package. */
const WALLED = /^src\/(formats\/(xarray|ome-zarr|geozarr|healpix|anndata|arrow|ndarray)|tiles|cli)[/.]/;
/**
 * Doors of a storey for one above it, `for-` and its name: lists of names that entries do not export. Rooms
 * within a wall have none of the core. Code that imports modules of Node has a door of its own, which no code for
 * pages imports.
 */
const DOOR = /^src\/(\w+)\/for-(\w+?)(?:-in-node)?\.ts$/;

/**
 * Circles that are still there, through types alone: rollup refuses circles of values. A file that is not in
 * the list of a knot may not become a part of it.
 */
const KNOTS: readonly { readonly why: string; readonly files: readonly string[] }[] = [
  {
    why: "nodes have `getChunk`, so their types and those of reads and caches are of each other",
    files: [
      ...[
        "read/chunk-cache",
        "nodes/decoded-chunks",
        "read/draw-options",
        "read/get",
        "read/get-options",
        "read/grouped-reads",
      ],
      ...["nodes/nodes", "nodes/prepare-for", "read/result-bytes", "write/set"],
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

/** Folders that mean the same wherever they are. */
const ALIKE = ["javascript", "encode"];

test("src/README.md says of each folder what is in it", () => {
  const text = readFileSync("src/README.md", "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  const folders = [...new Set(files.map(dirname))].map((folder) => folder.split("/").slice(1));
  /** In a row of its own, or in the row of a folder around it, by the rest of its path. */
  const isThere = (names: readonly string[]): boolean =>
    names.some((_, i) => {
      const [around, rest] = [names.slice(0, names.length - i), names.slice(names.length - i)];
      const ofFolder = rows.filter((row) => row.split("|")[1]?.includes(`\`${around.join("/")}/`));
      return ofFolder.some((row) => i === 0 || row.includes(`\`${rest.join("/")}/\``));
    });
  expect(folders.length).toBeGreaterThan(90);
  expect(text).toContain(ALIKE.map((name) => `\`${name}/\` is`)[0]);
  const unnamed = folders.filter((names) => !ALIKE.includes(names.at(-1) ?? "") && !isThere(names));
  expect(unnamed.filter(({ length }) => length > 0)).toEqual([]);
});

test("a folder can be taken in at a glance: at most 26 files, and more than one unless it has folders", () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const folders = [...counts.keys()];
  const isParent = (folder: string): boolean => folders.some((other) => other.startsWith(`${folder}/`));
  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((folder) => Number(counts.get(folder)) > 26)).toEqual([]);
  expect(folders.filter((folder) => counts.get(folder) === 1 && !isParent(folder))).toEqual([]);
});

test("no arrow leads up, types and what is loaded lazily included", () => {
  const wrong = files.flatMap((file) => {
    const { storey, room } = placeOf(file);
    return (imports.get(file) ?? [])
      .filter(({ path }) => {
        const other = placeOf(path);
        if (file === WORKER) return !/^src\/(main|workers)\//.test(path);
        if (other.room === room || ENTRIES.includes(path)) return false;
        if (DOOR.test(file)) return other.storey !== storey;
        if (storey === "core" && other.storey === "core") return !ROOMS[room]?.includes(other.room);
        return floorOf(path) > floorOf(file);
      })
      .map(({ path }) => `${file} imports ${path}`);
  });
  expect(wrong).toEqual([]);
});

test("codecs and stores do not know each other, but for what a message says of itself", () => {
  const [codecs, stores] = [/^src\/codecs\//, /^src\/stores\//];
  const wrong = files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(
        ({ path }) => (codecs.test(file) && stores.test(path)) || (stores.test(file) && codecs.test(path)),
      )
      .filter(
        ({ path }) => path !== "src/codecs/for-stores.ts" || !file.startsWith("src/stores/virtual/grib/"),
      )
      .map(({ path }) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("storeys import each other by entries of the package and by doors, and rooms within a wall by entries", () => {
  expect(ENTRIES.filter((entry) => !files.includes(entry))).toEqual([]);
  expect(ENTRIES.length).toBeGreaterThan(20);
  const roomOf = (file: string): string => WALLED.exec(file)?.[1] ?? placeOf(file).storey;
  const isDoor = (file: string, path: string): boolean => {
    const [, of = "", storey] = DOOR.exec(path) ?? [];
    return storey === placeOf(file).storey && !(of === "core" && WALLED.test(file));
  };
  const outside = files.filter(
    (file) => floorOf(file) > 0 && floorOf(file) < STOREYS.length && !DOOR.test(file),
  );
  expect(outside.length).toBeGreaterThan(300);
  const wrong = outside.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter(({ path }) => roomOf(path) !== roomOf(file) && !ENTRIES.includes(path) && !isDoor(file, path))
      .map(({ path }) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});

test("doors are lists of names, each of which somebody imports", () => {
  const doors = files.filter((file) => DOOR.test(file));
  expect(doors.length).toBeGreaterThan(5);
  const namesIn = (names: string): string[] =>
    names.split(",").flatMap((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? []);
  for (const door of doors) {
    const text = readFileSync(door, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const names = Array.from(text.matchAll(/export (?:type )?\{([^}]*)\} from "[^"]+";/g), ([, each = ""]) =>
      namesIn(each),
    ).flat();
    expect(text.replace(/export (?:type )?\{[^}]*\} from "[^"]+";/g, "").trim(), door).toBe("");
    const used = files
      .filter((file) => imports.get(file)?.some(({ path }) => path === door))
      .flatMap((file) =>
        Array.from(
          readFileSync(file, "utf8").matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)\.js";/g),
          ([, each = "", from = ""]) =>
            join(dirname(file), `${from}.ts`).split(sep).join("/") === door ? namesIn(each) : [],
        ).flat(),
      );
    expect(
      names.filter((name) => !used.includes(name)),
      door,
    ).toEqual([]);
  }
});

test("the viewer imports entries of the package alone", () => {
  const viewer = readdirSync("examples/viewer/src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join("examples/viewer/src", file));
  const imported = viewer.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const found = text.matchAll(/(?:from |import |import\()"(wazarr[^"]*|(?:\.\.\/)+src\/[^"]*)"/g);
    return Array.from(found, ([, name = ""]) => name);
  });
  expect(imported.length).toBeGreaterThan(10);
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const entryOf = (name: string): string => name.replace(/^wazarr/, ".");
  expect(imported.filter((name) => !Object.hasOwn(exports, entryOf(name)))).toEqual([]);
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

/** `#kept` and `given: unknown` say neither what it is nor of what kind. */
test("no participle is the name of a thing", () => {
  const words = "told|asked|own|began|begun|kept|given|wanted|held|taken|handedOn|said|meant|lent";
  const declared = new RegExp(
    `\\b(?:const|let|function|class|interface|type) (?:${words})\\b|#(?:${words})\\b(?!\\()`,
    "i",
  );
  const isLeft = (file: string): boolean => /^src\/core\/(line|codecs\/sharding)\//.test(file);
  const wrong = files.filter((file) => !isLeft(file) && declared.test(readFileSync(file, "utf8")));
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
