/** The programs of docs/stores-*.md run, against the package as it was built. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type TestServer } from "../core/stores/server.js";
import icechunk from "../fixtures/icechunk.json" with { type: "json" };
import fixtures from "../fixtures/references.json" with { type: "json" };
import parquet from "../fixtures/references-parquet.json" with { type: "json" };

/** What programs print, by a heading above them. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  "Map and MemoryStore": [
    "[ '/zarr.json', '/a/zarr.json', '/a/c/0' ]",
    "7 { keys: [ '/a/zarr.json' ], prefixes: [ '/a/c/' ] }",
  ],
  FileSystemStore: ["21.5"],
  DirectoryHandleStore: ["21.5"],
  HttpStore: ["[ 4, 5 ] 483"],
  Credentials: ["296\n296\n"],
  Priority: ["[ 'rejected', 'fulfilled', 'fulfilled' ]"],
  S3Store: ["483\n"],
  GcsStore: ["483\n"],
  AzureStore: ["483\n"],
  openStore: ["483\n"],
  "ZipStore and packZip": ["Uint8Array(6) [ 5, 5, 5, 5, 5, 5 ]"],
  ReferenceStore: ["[ 6, 16 ]"],
  "References in Parquet": ["Uint8Array(4) [ 200, 0, 201, 0 ]"],
  IcechunkStore: ["[ 5, 9 ]", "[ 'main', 'other', 'v1' ]", "second 2"],
  LmdbStore: ["Uint8Array(6) [ 5, 5, 5, 5, 5, 5 ]"],
  "A store of your own": ["3"],
  "Decoded chunks: ChunkCache": ["{ hits: 2, misses: 2, bytes: 131072, evictions: 0 }\n2\n"],
  "Caching: withByteCaching": [],
  "Keep data after the page is closed: withPersistentCache": ["483\n"],
  "Fewer requests: withRangeCoalescing": ["/value: 2 ranges, 1 request"],
  "Retries: withRetry": ["/value: attempt 1: socket hang up", "/value: attempt 2: socket hang up", "3"],
  "Extensions of your own: defineStoreExtension, extendStore": ["[ '/c/0' ]"],
  "Extensions of arrays: defineArrayExtension, extendArray": ["27"],
};

const pages = readdirSync("docs").filter((name) => name.startsWith("stores-"));
const programs = pages
  .flatMap((name) => readFileSync(join("docs", name), "utf8").split(/^#+ /m))
  .flatMap((section) => {
    const [heading = ""] = section.split("\n", 1);
    return [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program = ""]) => ({ heading, program }));
  });

function dataOfExamples(): [string, Uint8Array][] {
  const files = readdirSync("examples/data", { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => [
      join(parentPath, name).slice("examples/data".length),
      readFileSync(join(parentPath, name)),
    ]);
}

/** The data at the paths that services of buckets have for them. */
function objects(): [string, Uint8Array][] {
  const places = ["/bucket", "/container", "/storage/v1/b/bucket/o"];
  return places.flatMap((place) =>
    dataOfExamples().map(([key, value]): [string, Uint8Array] => [`${place}${key}`, value]),
  );
}

/** A document for a file beside it, and a folder of Parquet files. */
function references(): [string, Uint8Array][] {
  const files = Object.entries(parquet.folders.pyarrow.files);
  const document = JSON.stringify(fixtures.documents.hdf5).replaceAll("http://files.test/", "");
  return [
    ["/reanalysis.json", Buffer.from(document)],
    ["/first.h5", Buffer.from(fixtures.files["first.h5"], "base64")],
    ...files.map(([key, base64]): [string, Uint8Array] => [
      `/reanalysis.parq/${key}`,
      Buffer.from(base64, "base64"),
    ]),
  ];
}

function repository(): [string, Uint8Array][] {
  const values = Object.entries(icechunk.repositories[2].values);
  return values.map(([key, base64]) => [`/repository${key}`, Buffer.from(base64, "base64")]);
}

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await serve(new Map([...dataOfExamples(), ...objects(), ...references(), ...repository()]));
  // Inside of the package, which there knows itself by its name.
  mkdirSync("build", { recursive: true });
  folder = resolve(mkdtempSync(join("build", "stores-page-")));
  // Node has no folders of pages.
  const { code } = transformSync(
    `${readFileSync("test/stores/browser/memory-folders.ts", "utf8")}
    const storage = { getDirectory: async () => new MemoryFolder() };
    Object.defineProperty(globalThis, "navigator", { value: { storage } });`,
    { loader: "ts", target: "es2022" },
  );
  writeFileSync(join(folder, "folders.mjs"), code);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe("docs/stores-*.md", () => {
  test("has a program in every section that is tested", () => {
    expect(programs.map(({ heading }) => heading).sort()).toEqual(Object.keys(PRINTED).sort());
  });

  test.each(programs)("$heading", async ({ heading, program }) => {
    const code = program.replaceAll("https://example.com", server.url);
    server.reset();
    const imports = program.includes("navigator.storage") ? ["--import", "./folders.mjs"] : [];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...imports, "--input-type=module", "-e", code],
      {
        cwd: folder,
        timeout: 30_000,
      },
    );
    for (const text of PRINTED[heading] ?? []) expect(stdout).toContain(text);
    if (heading.startsWith("Caching")) {
      const keys = server.requests.map(({ key }) => key).filter((key) => key.endsWith("/zarr.json"));
      expect(keys).toEqual(["/jacksboro.zarr/elevation/zarr.json"]);
    }
  });
});
