/** The names that applications import: none is lost, added or made a type only, unless somebody means it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { expect, test, vi } from "vitest";

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

// The first test compiles, which takes seconds, and minutes where everything else runs, too.
vi.setConfig({ testTimeout: 600_000 });

/** Compiling the sources takes seconds: once for all tests. */
let compiled: ReturnType<typeof exportsOf> | undefined;
const api = () => (compiled ??= exportsOf(readEntries()));

test(`the public names are those of test/${SNAPSHOT}`, async () => {
  const entries = readEntries();
  const values = await valuesOf(entries);
  const types = typesOf(api());
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

/** The names that each entry exports, with what they stand for, also that of another file. */
function exportsOf(entries: readonly Entry[]) {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ".");
  const program = ts.createProgram({
    rootNames: entries.map(({ source }) => source),
    options: { ...options, types: [] },
  });
  const checker = program.getTypeChecker();
  const exported = entries.map(({ source }) => {
    const file = program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    // A file without exports is no module to the checker.
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return {
      source,
      names: symbols.map((symbol) => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        return { name: symbol.name, symbol, target: isAlias ? checker.getAliasedSymbol(symbol) : symbol };
      }),
    };
  });
  return { checker, exported };
}

/** Interfaces, type aliases, and the types that classes are. */
function typesOf({ exported }: ReturnType<typeof exportsOf>): Map<string, readonly string[]> {
  return new Map(
    exported.map(({ source, names }) => {
      const types = names.filter(({ target }) => (target.flags & ts.SymbolFlags.Type) !== 0);
      return [source, types.map(({ name }) => name)] as const;
    }),
  );
}

/** Whether a symbol has a comment, or is deprecated, which says enough. */
const isSaidBy = (checker: ts.TypeChecker) => (symbol: ts.Symbol) =>
  symbol.getDocumentationComment(checker).length > 0 ||
  symbol.getJsDocTags().some(({ name }) => name === "deprecated");

test("every public name has a comment that says what it is", () => {
  const { checker, exported } = api();
  const isSaid = isSaidBy(checker);
  const silent = exported.flatMap(({ source, names }) =>
    names.flatMap(({ name, symbol, target }) =>
      isSaid(target) || isSaid(symbol) ? [] : `${source}: ${name}`,
    ),
  );
  expect(silent).toEqual([]);
  expect(exported.flatMap(({ names }) => names).length).toBeGreaterThan(300);
});

/**
 * What needs none: `kind` and `tag`, whose type says all, names of data types, and interfaces of browsers and
 * of other libraries. Whoever adds a member to the others gives it a comment.
 */
const WITHOUT_COMMENT = 90;
/** Their members are those of zarr.json, and names of data types. */
const NAMED_BY_SPECIFICATIONS = new Set(["ArrayDocument", "GroupDocument", "DataTypeMap"]);

test("members of public classes and interfaces have comments", () => {
  const { checker, exported } = api();
  const isSaid = isSaidBy(checker);
  const targets = new Set(exported.flatMap(({ names }) => names.map(({ target }) => target)));
  const isOurs = (member: ts.Symbol) =>
    /^\w+$/.test(member.name) &&
    !member.name.startsWith("__") &&
    (member.declarations ?? []).every(
      (declaration) =>
        !declaration.getSourceFile().fileName.includes("node_modules") &&
        !ts.isTypeParameterDeclaration(declaration) &&
        !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)),
    );
  const members = [...targets]
    .filter(({ flags }) => flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))
    .filter(({ name }) => !NAMED_BY_SPECIFICATIONS.has(name))
    .flatMap((target) =>
      [...(target.members?.values() ?? [])].filter(isOurs).map((member) => ({ target, member })),
    );
  const silent = members.flatMap(({ target, member }) =>
    isSaid(member) ? [] : `${target.name}.${member.name}`,
  );
  expect(members.length).toBeGreaterThan(800);
  expect(silent.length, silent.join(" ")).toBeLessThanOrEqual(WITHOUT_COMMENT);
});
