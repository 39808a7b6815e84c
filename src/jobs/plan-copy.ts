/** Plans that copy an array or a hierarchy, into any format, chunks and codecs, in bounded memory. */
import type { Conversion } from "../array/convert.js";
import { planNodes } from "../array/copy.js";
import { open } from "../array/open.js";
import { nodeDocumentKey } from "../array/rewrite.js";
import { keyBelow } from "../metadata/path.js";
import { type ArrayTasks, arrayTasks, estimateOf, stagesOf } from "./array-tasks.js";
import { jsonOf, locationAt, type NodeName, toAddress, writableAt } from "./context.js";
import { copiesOf, documentsAlone, documentsOf, storeOf } from "./documents.js";
import { checkFree } from "./free.js";
import { JOBS } from "./ledger-keys.js";
import { checkMemory } from "./memory.js";
import { countTasks, hashBytes, makePlan, type Plan, planId } from "./plan.js";
import type { PlanOptions } from "./plan-options.js";
import { describeSource, documentHash } from "./source.js";

export interface PlanCopyOptions extends Conversion, PlanOptions {}

/**
 * A plan that copies an array, or a group with everything below it: documents first, then elements, in tasks of whole chunks (shards) of the
 * target. Chunks whose bytes stay valid are copied as they are. Nothing is written before a task runs.
 * @throws AlreadyExistsError without `overwrite` or `resume`, InvalidArgumentError for a `maxMemory` that one chunk does not fit into, and
 *   what `copyNode` throws
 */
export async function planCopy(
  source: NodeName,
  target: NodeName,
  options: PlanCopyOptions = {},
): Promise<Plan> {
  const { open: _, overwrite = false, resume = false, maxMemory, signal, ...conversion } = options;
  checkMemory(maxMemory);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const from = await open(await locationAt(addresses.from, options), { signal });
  const to = await writableAt(addresses.to, options);
  const nodes = await planNodes(from, to, { ...conversion, signal });
  const asked = {
    source: jsonOf(addresses.from),
    target: jsonOf(addresses.to),
    sources: await Promise.all(nodes.map((node) => documentHash(node.source, options))),
    documents: await documentsAlone(to, copiesOf(nodes)),
    maxMemory: maxMemory ?? null,
  };
  const id = await planId("copy", asked);
  const made = nodes.map(({ location }) => location);
  if (!overwrite) await checkFree(to, made, { id, job: "copy", resume, signal });
  const documents = await documentsOf(to, copiesOf(nodes), { signal });
  const written = storeOf(documents);
  const parts: ArrayTasks[] = [];
  for (const { arrays } of nodes) {
    if (arrays === undefined) continue;
    const { source: array, target: copied } = arrays;
    const hash = await hashBytes(written.get(await nodeDocumentKey(copied)) ?? new Uint8Array(0));
    const between = {
      source: await describeSource({ ...addresses.from, path: array.path }, array, options),
      target: { ...jsonOf({ ...addresses.to, path: copied.path }), document: hash },
    };
    const path = keyBelow(to.path, `${JOBS}/${id}/${parts.length}`);
    parts.push(await arrayTasks(arrays, between, { store: addresses.to.store, path, maxMemory }));
  }
  const stages = stagesOf(parts, { target: jsonOf(addresses.to), documents, replace: overwrite });
  return makePlan(
    {
      job: "copy",
      target: addresses.to,
      stages,
      estimate: { tasks: countTasks(stages), ...estimateOf(parts) },
      notes: nodes.flatMap(({ note }) => (note ? [`${note.path}: ${note.message}`] : [])),
    },
    asked,
  );
}
