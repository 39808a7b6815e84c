/**
 * The page of each entry in the reference begins with one sentence and a short example, from the comment at
 * the head of its file. The examples compile against the declarations of the package.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const { exports }: { exports: Readonly<Record<string, string | { readonly types: string }>> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

const entries = Object.entries(exports).flatMap(([name, target]) => {
  if (typeof target === "string") return [];
  const file = target.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, "src/$1.ts");
  const [, comment = ""] = /^\/\*\*\n([\s\S]*?)^ \*\/$/m.exec(readFileSync(file, "utf8")) ?? [];
  const text = comment.replaceAll(/^ \* ?/gm, "");
  const [, sentence = "", example = ""] = /^((?:[^\n]+\n)+)\n```ts\n(.*?)^```$/ms.exec(text) ?? [];
  return [{ name, text, sentence, example }];
});

test.each(entries)("$name: a sentence, then an example of at most twelve lines", (entry) => {
  expect(entry.text.startsWith(entry.sentence)).toBe(true);
  expect(entry.sentence.trim()).toMatch(/^[A-Z`].*\.$/s);
  expect(entry.text).toMatch(/^@module$/m);
  const lines = entry.example.split("\n").slice(0, -1);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(12);
});

// A compiler reads all declarations: seconds of the processor, of which a busy machine gives few.
test("the examples compile", () => {
  mkdirSync("build", { recursive: true });
  // Inside of the package, which there knows itself by its name.
  const folder = resolve(mkdtempSync(join("build", "modules-")));
  try {
    const files = entries.map(({ name, example }, i) => {
      const file = join(folder, `${i}-${name.replaceAll(/\W/g, "-")}.ts`);
      // A module has a scope of its own.
      writeFileSync(file, `${example}export {};\n`);
      return file;
    });
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      // Where wazarr is installed in its place.
      paths: { "@zarrita/storage/*": [resolve("dist/types/zarrita/storage/*")] },
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${file?.fileName.slice(folder.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 180_000);
