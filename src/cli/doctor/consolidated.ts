/** Consolidated metadata: whether there are any, and whether they are true. */

import { checkConsolidated } from "../../extend.js";
import type { Group } from "../../index.js";
import { counted } from "../words.js";
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
        "wazarr consolidate writes them: a page then opens and lists all nodes with one request",
      ),
    ];
  const what = `consolidated metadata: of ${counted(found.documents, "document")}`;
  const { stale } = found;
  if (stale === undefined) return [ok(`${what}, too many to be compared here`)];
  const [first] = stale;
  if (first === undefined) return [ok(`${what}, all true`)];
  return [
    problem(
      `${what}, ${stale.length} not true: ${first.key ?? first.message}`,
      "wazarr consolidate writes them anew",
    ),
  ];
}
