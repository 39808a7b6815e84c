/**
 * Loading the code of an array's codecs as soon as its metadata document has arrived, so that the first read does not wait for it: the
 * download and the compilation go on while the document is parsed and the first chunk is on its way.
 */
import { loadKernels } from "../kernels/load.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { findCodec } from "./registry.js";

/** Names in the document of hostile depth or length are not looked at: preparing the codecs will refuse them. */
const MOST_CODECS = 16;

/**
 * Begins to load what a document of v2 or v3 names. Nothing is reported: preparing the codecs loads the same, and says what is wrong.
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
      const given: JsonObject = isJsonObject(codec) ? codec : { name: codec ?? null };
      // v2 has the configuration beside the name, which it calls id.
      const { name = given.id, configuration = given } = given;
      if (typeof name !== "string" || found.length >= MOST_CODECS) return;
      if (!isJsonObject(configuration)) continue;
      found.push([name, configuration]);
      visit(configuration.codecs);
      // blosc decodes the streams of these with their codecs.
      if (configuration.cname === "zstd" || configuration.cname === "zlib")
        found.push([configuration.cname, {}]);
    }
  };
  if (isJsonObject(document))
    for (const member of ["codecs", "compressor", "filters"]) visit(document[member]);
  return found;
}
