/** Arrays that zarr-python wrote, changed by wazarr, as zarr-python reads them afterwards. */
import { describe, expect, it } from "vitest";
import { append, open, resize, updateAttributes } from "../../src/index.js";
import { ask, zarrPython, zarrPython2 } from "../setup/python.js";
import { sampleCases } from "./cases.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const implementations = [
  { implementation: zarrPython(), zarr_format: 3 },
  { implementation: zarrPython(), zarr_format: 2 },
  { implementation: zarrPython2(), zarr_format: 2 },
] as const;

describe.each(implementations)("$implementation.title, v$zarr_format", ({ implementation, zarr_format }) => {
  it.skipIf(implementation.executable === undefined)(
    "shrunk, grown, appended to, with attributes",
    async () => {
      const [model] = sampleCases([zarr_format], 1);
      const data = Array.from({ length: 15 }, (_, i) => `${(i + 1).toString(16).padStart(2, "0")}00`).join(
        "",
      );
      const fixed = {
        data_type: "int16",
        shape: [5, 3],
        chunk_shape: [2, 2],
        endian: "little",
        order: zarr_format === 2 ? "C" : null,
      };
      const plain = {
        ...model,
        ...fixed,
        codecs: [],
        fill_value: "ffff",
        attributes:
          '{"nested": {"a": {"b": 3.0}}, "offsets": [0.0, 2000.0, 5, -0.0], "scale": 1.0, "units": 1.0}',
        data,
        written: [
          [
            [0, 5],
            [0, 3],
          ],
        ],
      };
      const { write } = await ask(implementation, { write: [plain], read: [] });
      const [answer] = write;
      if (answer === undefined || "error" in answer) throw new Error(answer?.error);
      const store = decodeStore(answer.store);
      const smaller = await resize(await open(store, { kind: "array" }), [3, 3]);
      const larger = await resize(smaller, [4, 3]);
      const longer = await append(larger, { data: Int16Array.of(100, 101, 102), shape: [1, 3] });
      await updateAttributes(longer, { units: "m" });
      const { read } = await ask(implementation, {
        write: [],
        read: [{ store: encodeStore(store), path: "/", zarr_format }],
      });
      expect(read).toMatchObject([
        {
          shape: [5, 3],
          // Whole numbers are what they were, to a language with two types of numbers.
          attributes:
            '{"nested": {"a": {"b": 3.0}}, "offsets": [0.0, 2000.0, 5, -0.0], "scale": 1.0, "units": "m"}',
          data: `${data.slice(0, 36)}${"ffff".repeat(3)}640065006600`,
        },
      ]);
    },
  );
});
