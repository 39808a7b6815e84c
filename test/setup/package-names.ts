/**
 * Examples and packages import wazarr and each other by name, as applications do: `paths` of tsconfig.json says
 * which source that is here.
 */
import { readFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";

const { compilerOptions }: { compilerOptions: { paths: Readonly<Record<string, readonly [string]>> } } =
  JSON.parse(readFileSync("tsconfig.json", "utf8"));

export const resolve = {
  alias: Object.entries(compilerOptions.paths).map(([name, [file]]) => ({
    find: new RegExp(`^${name.replace("*", "([^/]+)")}$`),
    replacement: resolvePath(file).replace("*", "$1"),
  })),
};
