/** Consolidated metadata: whether there are any, and whether they are true. */

import { staleEntries } from "../../array/consolidated-check.js";
import { consolidatedKey, documentsIn } from "../../array/consolidated-format.js";
import { readDocument } from "../../array/open.js";
import type { Group } from "../../index.js";
import { counted } from "../words.js";
import { advise, type Finding, ok, problem } from "./finding.js";

/** Documents to compare: each is a request. */
const MOST_DOCUMENTS = 200;

export async function consolidatedFindings({ store, path, metadata }: Group): Promise<Finding[]> {
  const { zarrFormat } = metadata;
  if (path !== "/" || zarrFormat === "draft") return [];
  const document = await readDocument(store, consolidatedKey("/", zarrFormat), {});
  const documents = document && documentsIn(document, "/", zarrFormat);
  if (documents === undefined)
    return [
      advise(
        "consolidated metadata: none",
        "wazarr consolidate writes them: a page then opens and lists all nodes with one request",
      ),
    ];
  const what = `consolidated metadata: of ${counted(documents.size, "document")}`;
  if (documents.size > MOST_DOCUMENTS) return [ok(`${what}, too many to be compared here`)];
  const stale = await staleEntries(store, zarrFormat, {});
  const [first] = stale;
  if (first === undefined) return [ok(`${what}, all true`)];
  return [
    problem(
      `${what}, ${stale.length} not true: ${first.key ?? first.message}`,
      "wazarr consolidate writes them anew",
    ),
  ];
}
