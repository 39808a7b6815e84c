/**
 * The guides of docs/: their programs print what the pages say, against the package as it was built, and the
 * tables of docs/options.md have every option.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../core/stores/server.js";
import { readOracles } from "../setup/oracles.js";

const GUIDES = [
  "docs/browsers.md",
  "docs/chunks.md",
  "docs/codecs-files.md",
  "docs/errors.md",
  "docs/from-python.md",
  "docs/getting-started.md",
  "docs/hierarchies.md",
  "docs/maps.md",
  "docs/node.md",
  "docs/reading.md",
  "docs/tiles-more.md",
  "docs/tiles.md",
  "docs/writing.md",
];
const { python } = readOracles();

let folder: string;
beforeAll(() => {
  // Inside of the package, which there knows itself by its name.
  mkdirSync("build", { recursive: true });
  folder = resolve(mkdtempSync(join("build", "guides-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Each with what it prints: comments beside `console.log`, or the block after it. */
interface Program {
  readonly language: string;
  readonly program: string;
  readonly printed: string;
}

function programsOf(page: string): Program[] {
  const text = readFileSync(page, "utf8");
  const blocks = text.matchAll(/^```(js|python)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms);
  return Array.from(blocks, ([, language = "", program = "", block = ""]) => {
    const beside = Array.from(
      program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm),
      ([, text = ""]) => `${text}\n`,
    );
    return { language, program, printed: beside.join("") + block };
  });
}

test("every program in JavaScript of the documents is tested", () => {
  const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
  const withPrograms = pages.map((name) => `docs/${name}`).filter((page) => programsOf(page).length > 0);
  // Settings of bundlers; forecast.test.ts; a worker of a queue, which ends with the queue;
  // packages/jupyter, in JupyterLab; stores-page.test.ts; stac/open.test.ts; viewer/element.test.ts;
  // open-virtual.test.ts.
  const stores = pages.filter((name) => name.startsWith("stores-")).map((name) => `docs/${name}`);
  const others = [
    "docs/from-zarrita-installing.md",
    "docs/grib.md",
    "docs/jobs-queue.md",
    "docs/notebook.md",
    "docs/stac.md",
    "docs/viewer-serve.md",
    "docs/virtual.md",
    ...stores,
  ];
  expect(withPrograms).toEqual([...GUIDES, ...others].sort());
});

describe.each(GUIDES)("%s", (page) => {
  const programs = programsOf(page);
  const needsPython = programs.some(({ language }) => language === "python");
  test.skipIf(needsPython && python === null)("prints what it says", async () => {
    expect(programs.length).toBeGreaterThan(0);
    const cwd = mkdtempSync(join(folder, "page-"));
    cpSync("examples/data", cwd, { recursive: true });
    const server = await serve(cwd);
    const run = (executable: string, args: readonly string[]) =>
      promisify(execFile)(executable, args, { cwd, timeout: 60_000 });
    try {
      for (const { language, names, printed } of runsOf(programs)) {
        for (const [name, program] of names)
          writeFileSync(join(cwd, name), program.replaceAll("https://example.com", server.url));
        const imports = names.map(([name]) => `await import("./${name}");`).join("\n");
        const { stdout } =
          language === "python"
            ? await run(
                python?.executable ?? "",
                names.map(([name]) => name),
              )
            : await run(process.execPath, ["--input-type=module", "-e", imports]);
        expect(stdout).toBe(printed);
      }
      // "One request", the page says.
      if (page === "docs/hierarchies.md")
        expect(server.requests.map(({ key }) => key)).toEqual(["/climate.zarr/zarr.json"]);
    } finally {
      await server.close();
    }
  });
});

/** Programs in JavaScript that follow each other run in one process, one after the other. */
function runsOf(programs: readonly Program[]) {
  const runs: { language: string; names: [string, string][]; printed: string }[] = [];
  for (const [i, { language, program, printed }] of programs.entries()) {
    const last = runs.at(-1);
    if (language === "python" || last?.language !== language)
      runs.push({ language, names: [[`${i}.${language === "js" ? "mjs" : "py"}`, program]], printed });
    else {
      last.names.push([`${i}.mjs`, program]);
      last.printed += printed;
    }
  }
  return runs;
}

/** The options of each table, and the interfaces that have them. */
const OPTIONS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  open: [["open/open-options.ts", "OpenOptions"]],
  create: [
    ["create/create-options.ts", "CreateNodeOptions"],
    ["create/create-options.ts", "CreateArrayOptions"],
  ],
  get: [
    ["read/get-options.ts", "GetOptions"],
    ["read/get-options.ts", "ColumnOptions"],
    ["read/get-options.ts", "SafeIntegersOptions"],
    ["create/zarrita-options.ts", "ZarritaSignal"],
    ["create/zarrita-options.ts", "ZarritaQueue"],
  ],
  "get, ready to draw": [["read/draw-options.ts", "DrawAsOptions"]],
  read: [["read/read-slabs.ts", "ReadSlabsOptions"]],
  set: [["write/set-options.ts", "SetOptions"]],
  "resize and append": [
    ["write/resize.ts", "ResizeOptions"],
    ["write/append.ts", "AppendOptions"],
  ],
  copyNode: [
    ["convert/convert.ts", "Conversion"],
    ["../work/copy.ts", "CopyOptions"],
  ],
  verify: [["../work/verify.ts", "VerifyOptions"]],
  withConsolidatedMetadata: [["hierarchy/consolidated.ts", "ConsolidatedMetadataOptions"]],
};
/** Options that an interface has of another one, which is not in the list above. */
const INHERITED: Readonly<Record<string, readonly string[]>> = {
  set: ["opts"],
  "resize and append": ["signal"],
  copyNode: ["signal"],
  verify: ["signal"],
};

test("docs/errors.md has every class, and no other", () => {
  const rows = readFileSync("docs/errors.md", "utf8").matchAll(/^\| `(\w+)` \|/gm);
  const classes = readFileSync("src/base/errors.ts", "utf8").matchAll(/readonly tag = "(\w+)"/g);
  const sorted = (found: Iterable<RegExpExecArray>) => Array.from(found, ([, name]) => name).sort();
  expect(sorted(rows)).toEqual(sorted(classes));
});

test("test/fuzz/README.md: as many inputs were mutated in all as in the rows of the table together", () => {
  const page = readFileSync("test/fuzz/README.md", "utf8");
  const numberOf = (text = "") => Number(text.replaceAll(",", ""));
  const [, total] = /^([\d,]+) inputs were mutated in all/m.exec(page) ?? [];
  const rows = Array.from(
    page.matchAll(/^\|[^|]+\| [\d, ]+ \| ([\d,]+) \| [\d,]+ \|$/gm),
    ([, inputs]) => inputs,
  );
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.reduce((sum, inputs) => sum + numberOf(inputs), 0)).toBe(numberOf(total));
});

test("docs/options.md has every option, and no other", () => {
  const sections = readFileSync("docs/options.md", "utf8").split(/^## /m).slice(1);
  const tables = sections.map((section): [function_: string, names: string[]] => {
    const rows = section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm);
    const names = Array.from(rows, ([, cell = ""]) => cell.replaceAll("`", "").split(", ")).flat();
    return [section.split("\n", 1)[0] ?? "", names.sort()];
  });
  const [shared = ["", []], ...others] = tables;
  const declared = Object.entries(OPTIONS).map(([function_, interfaces]): [string, string[]] => {
    const names = interfaces.flatMap(([file, name]) => membersOf(`src/array/${file}`, name));
    return [function_, [...new Set([...names, ...(INHERITED[function_] ?? [])])].sort()];
  });
  // What several functions share stands in the first table alone.
  const isShared = (name: string): boolean => shared[1].includes(name);
  const own = declared.map(([function_, names]) => [function_, names.filter((name) => !isShared(name))]);
  expect(others).toEqual(own);
  for (const name of shared[1])
    expect(declared.filter(([, names]) => names.includes(name)).length, name).toBeGreaterThan(1);
});

function membersOf(file: string, name: string): string[] {
  const body = new RegExp(`^(?:export )?interface ${name}\\b.*?^}`, "ms").exec(
    readFileSync(file, "utf8"),
  )?.[0];
  const names = Array.from((body ?? "").matchAll(/^ {2}readonly (\w+)\??:/gm), ([, member = ""]) => member);
  expect(names, `${file}: ${name}`).not.toEqual([]);
  return names;
}
