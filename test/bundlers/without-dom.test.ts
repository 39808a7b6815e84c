/**
 * What the compiler says of a program without the DOM library, which checks the declarations of the package.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const OPTIONS = [
  ...["--strict", "--noEmit", "--ignoreConfig", "--target", "ES2022", "--lib", "ES2023", "--types", "node"],
  ...["--typeRoots", join(process.cwd(), "node_modules/@types"), "--skipLibCheck", "false"],
  ...["--module", "NodeNext", "--moduleResolution", "NodeNext"],
];

async function compiled(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-dom-"));
  try {
    writeFileSync(join(folder, "program.ts"), program);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const finished = await promisify(execFile)("node_modules/.bin/tsc", [
      ...OPTIONS,
      join(folder, "program.ts"),
    ]).catch((error: { stdout: string }) => error);
    return finished.stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("declarations of every entry compile without the DOM library", { timeout: 600_000 }, async () => {
  const { exports }: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } =
    JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [join(process.cwd(), target.types).replace(/\.d\.ts$/, ".js")],
  );
  const program = entries.map((entry) => `import ${JSON.stringify(entry)};`).join("\n");
  expect(await compiled(program)).toBe("");
});

test("create({ chunks }) is refused with the name of the option", { timeout: 600_000 }, async () => {
  const index = JSON.stringify(join(process.cwd(), "dist/types/index.js"));
  const program = `import { create, root } from ${index};
    void create(root(new Map()), { shape: [4], dtype: "int8", chunks: [2] });`;
  expect(await compiled(program)).toContain("the name of this option is chunkShape");
});
