/**
 * Every codec both ways with the implementations that know it: what wazarr writes they read, what they write
 * wazarr reads, as they do themselves. Who agreed is recorded in codec-agreements.json, of which
 * docs/codecs.md is made. WAZARR_UPDATE=1 writes both anew.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setKernels } from "../../src/extend.js";
import { get, open, set } from "../../src/index.js";
import { encodeJson } from "../../src/metadata/json-text.js";

import { readOracles } from "../setup/oracles.js";
import { type Refusal, tensorStore, zarrPython, zarrPython2 } from "../setup/python.js";
import {
  type CodecCase,
  v2Cases,
  v2NewCases,
  v2TensorStoreCases,
  v3Cases,
  v3CoreCases,
  v3ZarrsCases,
} from "./codec-cases.js";
import {
  type EncodedStore,
  type Exchange,
  type Partner,
  pythonPartner,
  zarrsPartner,
} from "./codec-partners.js";
import { type Agreement, type AgreementRecord, codecTable, DOCUMENT, RECORD } from "./codec-table.js";
import { bytesFromHex, hexFromBytes } from "./elements.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const partners: readonly { partner: Partner; cases: readonly CodecCase[] }[] = [
  {
    partner: pythonPartner(zarrPython()),
    cases: [...v2Cases(false), ...v2NewCases, ...v3CoreCases, ...v3Cases],
  },
  { partner: pythonPartner(zarrPython2()), cases: v2Cases(true) },
  { partner: pythonPartner(tensorStore()), cases: [...v2TensorStoreCases, ...v3CoreCases] },
  { partner: zarrsPartner(), cases: [...v3CoreCases, ...v3ZarrsCases] },
];

const { python, debian, zarrs } = readOracles();
const versions = {
  "zarr-python 3": `${python?.zarr} with numcodecs ${python?.numcodecs}`,
  "zarr-python 2": `${debian?.zarr} with numcodecs ${debian?.numcodecs}`,
  TensorStore: `${python?.tensorstore}`,
  zarrs: `${zarrs?.version}`,
};
/** Implementation -> "v2 delta" -> what it confirmed. */
const agreements: Record<string, Record<string, Agreement>> = {};
const failed = new Set<string>();

function confirm(title: string, { codecs, zarr_format }: CodecCase, direction: "read" | "write"): void {
  const rows = (agreements[title] ??= {});
  for (const codec of codecs) {
    const row = `v${zarr_format} ${codec}`;
    const before = rows[row];
    rows[row] = before === undefined || before === direction ? direction : "read, write";
  }
}

async function writeCase(each: CodecCase, kernels: "wasm" | "javascript"): Promise<EncodedStore> {
  const documents = Object.entries(each.documents).map(
    ([key, document]) => [key, encodeJson(document)] as const,
  );
  const store = new Map<string, Uint8Array>(documents);
  setKernels(kernels);
  try {
    const array = await open(store, { kind: "array" });
    const { dataType } = array;
    const bytes = bytesFromHex(each.data);
    const data = Array.from({ length: bytes.length / dataType.itemSize }, (_, i) =>
      dataType.readScalar(bytes.subarray(i * dataType.itemSize, (i + 1) * dataType.itemSize)),
    );
    await set<unknown, typeof store>(array, null, { data, shape: each.shape });
  } finally {
    setKernels("auto");
  }
  return encodeStore(store);
}

async function readHex(store: EncodedStore): Promise<string> {
  const array = await open(decodeStore(store), { kind: "array" });
  const bytes = array.dataType.bytesOf((await get(array)).data);
  if (bytes === undefined) throw new Error("not the array's own data");
  return hexFromBytes(bytes);
}

function answered<Answer extends object>(answer: Answer | Refusal | undefined): Answer {
  if (answer === undefined) throw new Error("no answer");
  if ("error" in answer) throw new Error(String(answer.error));
  return answer;
}

for (const { partner, cases } of partners) {
  const { title, isThere } = partner;
  describe.skipIf(!isThere)(title, () => {
    const ours: EncodedStore[] = [];
    let theirs: Exchange = { written: [], given: [], own: [] };

    beforeAll(async () => {
      for (const each of cases) {
        const store = each.isWritten ? await writeCase(each, "wasm") : {};
        // Without WebAssembly zstd is written without compression, and blosc with LZ4 alone: valid, but other
        // bytes.
        if (each.isWritten && !/zstd|blosclz|snappy|lz4hc/.test(each.title))
          expect(await writeCase(each, "javascript"), each.title).toEqual(store);
        ours.push(store);
      }
      theirs = await partner.exchange(cases, ours);
    });

    for (const [i, each] of cases.entries()) {
      it(`it -> wazarr: ${each.title}`, async () => {
        failed.add(each.title);
        const { store } = answered(theirs.written[i]);
        expect(await readHex(store)).toBe(answered(theirs.own[i]).data);
        failed.delete(each.title);
        confirm(title, each, "read");
      });
      if (!each.isWritten) continue;
      it(`wazarr -> it: ${each.title}`, async () => {
        failed.add(each.title);
        const { data } = answered(theirs.given[i]);
        expect(await readHex(ours[i] ?? {})).toBe(data);
        expect(data).toBe(answered(theirs.own[i]).data);
        failed.delete(each.title);
        confirm(title, each, "write");
      });
    }
  });
}

describe("the record", () => {
  const complete = partners.every(({ partner }) => partner.isThere);
  afterAll(() => {
    if (process.env.WAZARR_UPDATE === "1" && complete) {
      writeFileSync(RECORD, `${JSON.stringify({ versions, agreements }, sorted, 2)}\n`);
      writeFileSync(DOCUMENT, codecTable({ versions, agreements }));
    }
  });
  it.skipIf(!complete)("says who agreed", () => {
    expect([...failed]).toEqual([]);
    if (process.env.WAZARR_UPDATE === "1") return;
    const recorded: AgreementRecord = JSON.parse(readFileSync(RECORD, "utf8"));
    expect({ versions, agreements }, "WAZARR_UPDATE=1 writes the record anew").toEqual(recorded);
  });
});

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
