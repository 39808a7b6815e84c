/** Files of the viewer as answers of HTTP. */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Answer, refusal } from "./answers.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/**
 * Paths that are served: the viewer's page with its assets, and beside them the modules that the page imports from
 * the folder above: those of the package, and of `hyparquet` if it is installed.
 */
const PAGE = /^(?:assets\/[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg)|index\.html|element\.js)$/;
const MODULE = /^(?:(?:chunks|stores|workers)\/)?[\w-]+\.js$/;
const OF_HYPARQUET = /^hyparquet\/(\w+\.js)$/;

/**
 * @param viewer directory of the built viewer, a subdirectory of the package's modules
 * @param shown what the page shows if its address does not say it, in the form that follows its "#"
 */
export async function answerFile(viewer: URL, path: string, shown?: string): Promise<Answer> {
  const name = path === "/" ? "index.html" : path.slice(1);
  const [, ofHyparquet] = OF_HYPARQUET.exec(name) ?? [];
  try {
    const file = PAGE.test(name)
      ? new URL(name, viewer)
      : ofHyparquet !== undefined
        ? new URL(ofHyparquet, import.meta.resolve("hyparquet"))
        : new URL(MODULE.test(name) ? name : "none", new URL("..", viewer));
    const found = await readFile(file);
    const body = name === "index.html" && shown !== undefined ? withData(found, shown) : found;
    // Files with a hash in their names never change, so they can be cached forever.
    const cache = /^(?:assets|chunks)\//.test(name) ? "max-age=31536000, immutable" : "no-cache";
    const type = TYPES[extname(name)] ?? "text/plain";
    return { status: 200, headers: { "content-type": type, "cache-control": cache }, body };
  } catch {
    return refusal(404, "not found");
  }
}

function withData(page: Uint8Array, shown: string): string {
  const meta = `<meta name="wazarr-data" content="${shown.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" />`;
  return new TextDecoder().decode(page).replace("<head>", () => `<head>${meta}`);
}
