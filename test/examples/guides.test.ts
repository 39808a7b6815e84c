/**
 * The guides of docs/: their programs print what the pages say, against the package as it was built, and the
 * tables of docs/options.md have every option.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../stores/server.js";

const GUIDES = ["docs/hierarchies.md", "docs/reading.md", "docs/writing.md"];

let folder: string;
beforeAll(() => {
  // Inside of the package, which there knows itself by its name.
  mkdirSync("build", { recursive: true });
  folder = resolve(mkdtempSync(join("build", "guides-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The programs of a page, each with what it prints: comments beside `console.log`, or the block after it. */
function programsOf(page: string): { readonly program: string; readonly printed: string }[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```js\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms);
  return Array.from(blocks, ([, program = "", block = ""]) => {
    const beside = Array.from(
      program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm),
      ([, text = ""]) => `${text}\n`,
    );
    return { program, printed: beside.join("") + block };
  });
}

test("every program in JavaScript of the documents is tested", () => {
  const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
  const withPrograms = pages.map((name) => `docs/${name}`).filter((page) => programsOf(page).length > 0);
  // test/examples/stores-page.test.ts, and a worker of a queue, which ends with the queue.
  expect(withPrograms).toEqual([...GUIDES, "docs/jobs.md", "docs/stores.md"].sort());
});

test.each(GUIDES)("%s", async (page) => {
  const programs = programsOf(page);
  expect(programs.length).toBeGreaterThan(4);
  const cwd = mkdtempSync(join(folder, "page-"));
  cpSync("examples/data", cwd, { recursive: true });
  const server = await serve(cwd);
  try {
    for (const [i, { program }] of programs.entries()) {
      const code = program.replaceAll("https://example.com", server.url);
      writeFileSync(join(cwd, `${i}.mjs`), `console.log("program ${i}");\n${code}`);
    }
    const imports = programs.map((_, i) => `await import("./${i}.mjs");`);
    writeFileSync(join(cwd, "all.mjs"), imports.join("\n"));
    const { stdout } = await promisify(execFile)(process.execPath, ["all.mjs"], { cwd, timeout: 60_000 });
    expect(stdout).toBe(programs.map(({ printed }, i) => `program ${i}\n${printed}`).join(""));
    // "One request", the page says.
    if (page === "docs/hierarchies.md")
      expect(server.requests.map(({ key }) => key)).toEqual(["/climate.zarr/zarr.json"]);
  } finally {
    await server.close();
  }
});

/** The options of each table, and the interfaces that have them. */
const OPTIONS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  open: [["open.ts", "OpenOptions"]],
  create: [
    ["create-options.ts", "CreateNodeOptions"],
    ["create-options.ts", "CreateArrayOptions"],
  ],
  get: [
    ["get-options.ts", "GetOptions"],
    ["get-options.ts", "ColumnOptions"],
    ["get-options.ts", "SafeIntegersOptions"],
    ["get-options.ts", "Zarrita"],
  ],
  read: [["read.ts", "ReadSlabsOptions"]],
  set: [["set.ts", "SetOptions"]],
  "resize and append": [
    ["resize.ts", "ResizeOptions"],
    ["resize.ts", "AppendOptions"],
  ],
  copyNode: [
    ["convert.ts", "Conversion"],
    ["copy.ts", "CopyOptions"],
  ],
  verify: [["verify.ts", "VerifyOptions"]],
  withConsolidatedMetadata: [["consolidated.ts", "ConsolidatedMetadataOptions"]],
};
/** Options that an interface has of another one, which is not in the list above. */
const INHERITED: Readonly<Record<string, readonly string[]>> = {
  set: ["opts"],
  "resize and append": ["signal"],
  copyNode: ["signal"],
  verify: ["signal"],
};

test("docs/options.md has every option, and no other", () => {
  const sections = readFileSync("docs/options.md", "utf8").split(/^## /m).slice(1);
  const tables = sections.map((section) => {
    const rows = section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm);
    const names = Array.from(rows, ([, cell = ""]) => cell.replaceAll("`", "").split(", ")).flat();
    return [section.split("\n", 1)[0], names.sort()];
  });
  const declared = Object.entries(OPTIONS).map(([function_, interfaces]) => {
    const names = interfaces.flatMap(([file, name]) => membersOf(`src/array/${file}`, name));
    return [function_, [...new Set([...names, ...(INHERITED[function_] ?? [])])].sort()];
  });
  expect(tables).toEqual(declared);
});

function membersOf(file: string, name: string): string[] {
  const body = new RegExp(`^(?:export )?interface ${name}\\b.*?^}`, "ms").exec(
    readFileSync(file, "utf8"),
  )?.[0];
  const names = Array.from((body ?? "").matchAll(/^ {2}readonly (\w+)\??:/gm), ([, member = ""]) => member);
  expect(names, `${file}: ${name}`).not.toEqual([]);
  return names;
}
