/** Consolidated metadata: whether there are any, and whether they are up to date. */

import { checkConsolidated } from "../../extend.js";
import type { Group } from "../../index.js";
import { counted } from "../text/words.js";
import { advise, type Finding, ok, problem } from "./finding.js";

/** Documents to compare: each is a request. */
const MOST_DOCUMENTS = 200;

export async function consolidatedFindings({ store, path, metadata }: Group): Promise<Finding[]> {
  const { zarrFormat } = metadata;
  if (path !== "/" || zarrFormat === "draft") return [];
  const found = await checkConsolidated(store, zarrFormat, { most: MOST_DOCUMENTS });
  if (found === undefined)
    return [
      advise(
        "consolidated metadata: none",
        "run wazarr consolidate to write them: a page then opens and lists all nodes with one request",
      ),
    ];
  const what = `consolidated metadata: of ${counted(found.documents, "document")}`;
  const { stale } = found;
  if (stale === undefined) return [ok(`${what}, too many to compare here`)];
  const [first] = stale;
  if (first === undefined) return [ok(`${what}, all up to date`)];
  return [
    problem(
      `${what}, ${stale.length} out of date: ${first.key ?? first.message}`,
      "run wazarr consolidate to update them",
    ),
  ];
}
