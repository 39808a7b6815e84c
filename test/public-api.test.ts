/** The names that applications import: none is lost, added or made a type only, unless somebody means it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { expect, test } from "vitest";

const SNAPSHOT = "public-api.txt";
const ADVICE = `The public names differ from test/${SNAPSHOT}. If that is meant, run "npx vitest run --project node test/public-api.test.ts -u", \
look at the difference in test/${SNAPSHOT}, commit it, and name the change in CHANGELOG.md. A name that is gone breaks applications`;

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

interface Entry {
  /** What an application imports. */
  readonly name: string;
  readonly source: string;
}

test(`the public names are those of test/${SNAPSHOT}`, async () => {
  const entries = readEntries();
  const values = await valuesOf(entries);
  const types = typesOf(entries);
  const sections = entries.map(({ name, source }) => {
    const lines = [
      ...[...(values.get(source) ?? [])].sort().map((each) => `  value ${each}`),
      ...[...(types.get(source) ?? [])].sort().map((each) => `  type ${each}`),
    ];
    return [name, ...lines].join("\n");
  });
  await expect(`${sections.join("\n\n")}\n`, ADVICE).toMatchFileSnapshot(SNAPSHOT);
});

/** The entries of package.json and the files that they are built from. */
function readEntries(): Entry[] {
  const { name, exports }: Manifest & { readonly name: string } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : {
          name: join(name, path),
          source: target.types.replace("./dist/types/", "src/").replace(/\.d\.ts$/, ".ts"),
        },
  );
}

/**
 * What exists at run time. esbuild says it without running an entry: that of workers listens to whoever runs
 * it.
 */
async function valuesOf(entries: readonly Entry[]): Promise<Map<string, readonly string[]>> {
  const { metafile } = await build({
    entryPoints: entries.map(({ source }) => source),
    outdir: "unused",
    bundle: true,
    packages: "external",
    format: "esm",
    target: "es2022",
    platform: "node",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint = "", exports }) => [entryPoint, exports] as const),
  );
}

/** Interfaces, type aliases, and the types that classes are. */
function typesOf(entries: readonly Entry[]): Map<string, readonly string[]> {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ".");
  const program = ts.createProgram({
    rootNames: entries.map(({ source }) => source),
    options: { ...options, types: [] },
  });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map(({ source }) => {
      const file = program.getSourceFile(source);
      const module = file && checker.getSymbolAtLocation(file);
      // A file without exports is no module to the checker.
      const exported = module === undefined ? [] : checker.getExportsOfModule(module);
      const types = exported.filter((symbol) => {
        const aliased = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return (aliased.flags & ts.SymbolFlags.Type) !== 0;
      });
      return [source, types.map(({ name }) => name)] as const;
    }),
  );
}
