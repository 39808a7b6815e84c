/** The packages of packages/: their manifests, and how much of a page they are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly files: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const read = <Data>(file: string): Data => JSON.parse(readFileSync(file, "utf8"));
const { scope } = read<{ scope: string }>("scripts/scope.json");
const { version } = read<Manifest>("package.json");
/** Bytes of the compressed first file of a page with only the package, without its dependencies and peers. */
const MOST: Readonly<Record<string, number>> = {
  colors: 4_000,
  layer: 9_000,
  maplibre: 5_000,
  openlayers: 5_000,
  deckgl: 5_000,
  react: 2_500,
};

/** Those in TypeScript that npm publishes. */
const packages = readdirSync("packages").filter((name) => existsSync(`packages/${name}/src/index.ts`));

describe.each(packages)("packages/%s", (folder) => {
  const manifest = read<Manifest>(`packages/${folder}/package.json`);

  test("has the scope, the version and the licence of the repository", () => {
    expect(manifest).toMatchObject({ name: `${scope}/${folder}`, version, license: "MIT" });
    for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (name === "wazarr" || name.startsWith(`${scope}/`)) expect(range).toBe(version);
    expect(existsSync(`packages/${folder}/README.md`)).toBe(true);
  });

  test.skipIf(MOST[folder] === undefined)("imports what it declares, and is small", async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [`packages/${folder}/src/index.ts`],
      outdir: "out",
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      target: "es2022",
      packages: "external",
      tsconfigRaw: {},
      metafile: true,
      write: false,
    });
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const imported = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external }) => external === true)
      .map(({ path }) => path);
    const isDeclared = (path: string) =>
      declared.some((name) => path === name || path.startsWith(`${name}/`));
    expect(imported.filter((path) => !isDeclared(path))).toEqual([]);
    const first = outputFiles.find(({ path }) => path.endsWith("/index.js"));
    expect(gzipSync(first?.contents ?? new Uint8Array()).byteLength).toBeLessThan(MOST[folder] ?? 0);
  });
});
