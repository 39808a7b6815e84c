/** The test files, and what they reach through the files of test/ that they import. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The folders of test files: that of the library, and those of packages. */
const FOLDERS = ["test", ...readdirSync("packages").map((name) => `packages/${name}/test`)];

/** Whether a file is of the tests, not of what they test. */
export const isOfTests = (file: string): boolean => FOLDERS.some((folder) => file.startsWith(`${folder}/`));

const IMPORT = /^(?:import|export|\}) (?!type\b)(?:[^"]*\bfrom )?"(\.[^"]+)\.js";$/gm;

/**
 * The paths of all test files but the nightly ones that match nowhere. `matches` is asked about the test
 * file, the files of test/ that it imports, the imports of those and so on, and about files of the library
 * that one of them imports.
 */
export function testFilesWithout(matches: (file: string, text: string) => boolean): string[] {
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false);
    if (!existsSync(file)) return false;
    const text = readFileSync(file, "utf8");
    const reached = matches(file, text) || (isOfTests(file) && importsOf(file, text).some(reaches));
    known.set(file, reached);
    return reached;
  };
  return FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => /(?<!\.nightly)\.test\.ts$/.test(file) && !reaches(file))
    .sort();
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, path]) => `${normalize(join(dirname(file), path ?? ""))}.ts`);
}
