/** The package as npm would install it. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };

export interface Installed {
  /** A directory with node_modules/wazarr in it. */
  readonly folder: string;
  /** node_modules/wazarr. */
  readonly package: string;
  /** The files of the tarball. */
  readonly files: readonly string[];
  /** Of the tarball. */
  readonly byteLength: number;
}

/** Packs dist/ as `npm run build` left it, or a build of its own where that is older than the sources. */
export function installPackage(folder: string): Installed {
  const source = isBuilt() ? "." : buildInto(join(folder, "build"));
  const [packed]: readonly { filename: string; size: number; files: readonly { path: string }[] }[] =
    JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
        cwd: source,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  if (packed === undefined) throw new Error("npm pack made nothing");
  const target = join(folder, "node_modules/wazarr");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", target, "--strip-components=1"]);
  return { folder, package: target, files: packed.files.map(({ path }) => path), byteLength: packed.size };
}

/** Links the optional peers, which an application that imports their entries has. */
export function linkPeers(folder: string): void {
  for (const peer of Object.keys(manifest.peerDependencies)) {
    const link = join(folder, "node_modules", peer);
    // Some are in a scope.
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve("node_modules", peer), link);
  }
}

function isBuilt(): boolean {
  const built = ["dist/index.js", "dist/types/index.d.ts"];
  if (!built.every((file) => existsSync(file))) return false;
  const newest = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => statSync(join("src", file)))
    .reduce((latest, stat) => (stat.isFile() ? Math.max(latest, stat.mtimeMs) : latest), 0);
  return built.every((file) => statSync(file).mtimeMs > newest);
}

function buildInto(folder: string): string {
  mkdirSync(folder);
  for (const file of ["package.json", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "docs"])
    cpSync(file, join(folder, file), { recursive: true });
  execFileSync("npx", ["rollup", "-c", "--silent", "--dir", join(folder, "dist")], { stdio: "inherit" });
  const types = ["tsc", "-p", "tsconfig.build.json", "--outDir", join(folder, "dist/types")];
  execFileSync("npx", types, { stdio: "inherit" });
  execFileSync(process.execPath, [resolve("scripts/prune-declarations.mjs")], {
    cwd: folder,
    stdio: "inherit",
  });
  return folder;
}
