/** What `--version` prints. */
import { createRequire } from "node:module";

/** The package's own name leads to its package.json from wherever in it this file was bundled. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("wazarr/package.json");
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json of wazarr has no version");
}
