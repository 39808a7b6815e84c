/** What the compiler says of an application that imports every entry of the package. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * @param moduleResolution Node10 ("node" in a tsconfig.json) knows nothing of `exports`: many applications
 * have it, deprecated as it is
 * @param folder of an installed package, with `app/consumer.ts`
 * @returns an empty string if all is well
 */
export async function typesOf(
  folder: string,
  moduleResolution: "NodeNext" | "Bundler" | "Node10",
): Promise<string> {
  writeFileSync(join(folder, "app/package.json"), '{"type": "module"}');
  const options = [
    ...["--strict", "--noEmit", "--ignoreConfig", "--target", "ES2022", "--lib", "ES2023,DOM,DOM.Iterable"],
    ...(moduleResolution === "Node10" ? ["--ignoreDeprecations", "6.0"] : []),
    ...["--types", "node", "--typeRoots", join(process.cwd(), "node_modules/@types")],
    ...["--module", moduleResolution === "NodeNext" ? moduleResolution : "ESNext"],
    ...["--moduleResolution", moduleResolution],
  ];
  const finished = await promisify(execFile)("node_modules/.bin/tsc", [
    ...options,
    join(folder, "app/consumer.ts"),
  ]).catch((error: { stdout: string }) => error);
  return finished.stdout;
}
