/** Examples and packages import wazarr and each other by name: `paths` of tsconfig.json says what that is here. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export function aliases(): { readonly find: RegExp; readonly replacement: string }[] {
  const { compilerOptions }: { compilerOptions: { paths: Readonly<Record<string, readonly [string]>> } } =
    JSON.parse(readFileSync("tsconfig.json", "utf8"));
  return Object.entries(compilerOptions.paths).map(([name, [file]]) => ({
    find: new RegExp(`^${name.replace("*", "([^/]+)")}$`),
    replacement: resolve(file).replace("*", "$1"),
  }));
}
