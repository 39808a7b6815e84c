/** `npm run bench [-- --json FILE] [--quick] [--only WORKLOAD]`: kernels, then whole reads and writes against peers, in one run. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchElements, formatElements } from "./elements.js";
import { benchEndToEnd, formatEndToEnd } from "./end-to-end.js";
import { benchKernels, formatKernelResults } from "./kernels.js";
import { describeMachine } from "./machine.js";

const { values } = parseArgs({
  options: { json: { type: "string" }, quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const machine = describeMachine();
console.log(
  `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${machine.commit}, ${machine.date}\n`,
);

const kernels = await benchKernels(2 ** 20);
console.log(
  `Kernels, operands of 1 MiB in place (payload GB/s, median)\n\n${formatKernelResults(kernels)}\n`,
);
const elements = await benchElements();
console.log(
  `Conversions of 2^18 elements in place (GB/s of the larger side, median)\n\n${formatElements(elements)}\n`,
);
const endToEnd = await benchEndToEnd({
  ...(values.quick ? { reads: 3, writes: 1 } : { reads: 9, writes: 3 }),
  only: values.only,
});
console.log(`256^3 float32 (64 MiB) on the file system (median milliseconds)\n\n${formatEndToEnd(endToEnd)}`);
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine, kernels, elements, endToEnd }, null, 2)}\n`);
}
