/**
 * Round trips with the implementations that run in Python, both ways: what wazarr writes they read, and what
 * they write wazarr reads, to the last bit; both store the same chunks. An implementation that is not
 * installed is said loudly, and its tests count as skipped.
 */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answers,
  ask,
  type EncodedStore,
  type Refusal,
  tensorStore,
  zarrPython,
  zarrPython2,
} from "../setup/python.js";
import { type Case, describeCase, sampleCases } from "./cases.js";
import { expectElements } from "./elements.js";
import { decodeStore, encodeStore, readArray, writeCase } from "./wazarr.js";

const implementations = [
  { implementation: zarrPython(), cases: sampleCases([2, 3], 300) },
  { implementation: zarrPython2(), cases: sampleCases([2], 200) },
  { implementation: tensorStore(), cases: sampleCases([2, 3], 300) },
];

/**
 * Keys and values of chunks. Compressed ones hold what each implementation's compressor made: only their
 * keys.
 */
function chunksOf(store: EncodedStore, { codecs }: Case): Record<string, string> {
  const compressed = codecs.some((codec) => codec !== "crc32c");
  return Object.fromEntries(
    Object.entries(store)
      .filter(([key]) => !/\/(zarr\.json|\.zarray|\.zattrs|\.zgroup)$/.test(key))
      .map(([key, value]) => [key, compressed ? "" : value]),
  );
}

function isRefusal(answer: object): answer is Refusal {
  return "error" in answer;
}

function answered<Answer extends object>(answer: Answer | Refusal | undefined): Answer {
  if (answer === undefined) throw new Error("no answer");
  if (isRefusal(answer)) throw new Error(answer.error);
  return answer;
}

for (const { implementation, cases } of implementations) {
  describe(implementation.title, () => {
    const written: EncodedStore[] = [];
    let answers: Answers | undefined;

    beforeAll(async () => {
      if (implementation.executable === undefined) return;
      for (const each of cases) written.push(encodeStore(await writeCase(each)));
      const read = written.map((store, i) => ({ store, path: "/", zarr_format: cases[i]?.zarr_format ?? 3 }));
      answers = await ask(implementation, { write: cases, read });
    });

    describe.skipIf(implementation.executable === undefined)("round trips", () => {
      for (const [i, each] of cases.entries()) {
        it(`wazarr -> it: ${describeCase(each)}`, () => {
          const { shape, chunk_shape, data_type, fill_value, data } = answered(answers?.read[i]);
          expect({ shape, chunk_shape, data_type, fill_value, data }).toEqual({
            shape: each.shape,
            chunk_shape: each.chunk_shape,
            data_type: each.data_type,
            fill_value: each.fill_value,
            data: each.data,
          });
        });

        it(`it -> wazarr: ${describeCase(each)}`, async () => {
          const { store } = answered(answers?.write[i]);
          expectElements(await readArray(decodeStore(store)), each);
          expect(chunksOf(written[i] ?? {}, each)).toEqual(chunksOf(store, each));
        });
      }
    });
  });
}
