/** Loads codecs while the document that names them is parsed and the first chunk is requested. */
import { loadKernels } from "../../kernels/load.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { codecInside, findCodec } from "./registry/registry.js";

/**
 * Most codecs to preload, which limits the work for a hostile document; `preparePipeline` reports its errors.
 */
const MOST_CODECS = 16;

/**
 * Begins to load the codecs that a document of v2 or v3 names as soon as it has arrived: the download and the
 * compilation go on while the document is parsed and the first chunk is requested. Ignores errors:
 * `preparePipeline` loads the same codecs and reports them.
 * @param document a `zarr.json` or `.zarray`
 */
export function preloadCodecs(document: Json): void {
  for (const [name, configuration] of namedCodecs(document)) {
    preload(name, configuration).catch(() => {});
  }
}

async function preload(name: string, configuration: JsonObject): Promise<void> {
  const entry = await findCodec(name);
  await entry?.load?.(await loadKernels(), configuration);
}

function namedCodecs(document: Json): [name: string, configuration: JsonObject][] {
  const found: [name: string, configuration: JsonObject][] = [];
  const visit = (codecs: Json | undefined): void => {
    for (const codec of Array.isArray(codecs) ? codecs : [codecs]) {
      const codecDocument: JsonObject = isJsonObject(codec) ? codec : { name: codec ?? null };
      // A v2 codec has its name in `id`, and its settings beside it instead of in `configuration`.
      const { name = codecDocument.id, configuration = codecDocument } = codecDocument;
      if (typeof name !== "string" || found.length >= MOST_CODECS) return;
      if (!isJsonObject(configuration)) continue;
      found.push([name, configuration]);
      visit(configuration.codecs);
      const inside = codecInside(name, configuration);
      if (inside !== undefined) found.push([inside, {}]);
    }
  };
  if (isJsonObject(document))
    for (const member of ["codecs", "compressor", "filters"]) visit(document[member]);
  return found;
}
