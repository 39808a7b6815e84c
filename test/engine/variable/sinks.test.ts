/** Columns put together of parts, some of which come twice. */
import { describe, expect, it } from "vitest";
import { columnSink } from "../../../src/core/line/placing/sinks.js";
import { loadKernels, setKernels } from "../../../src/kernels/load.js";
import { loadStrings } from "../../../src/kernels/strings.js";
import { toBytes } from "./elements.js";

function columnOf(texts: readonly string[]) {
  const parts = texts.map(toBytes);
  const offsets = new Int32Array(texts.length + 1);
  for (const [i, { length }] of parts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  return { offsets, data: Uint8Array.from(parts.flatMap((part) => [...part])) };
}

describe.each(["wasm", "javascript"] as const)("%s kernels", (choice) => {
  it("a part that comes again, of a shard that was replaced in between, takes the place of the first", async () => {
    setKernels(choice);
    const kernels = await loadKernels();
    const strings = await loadStrings(kernels);
    setKernels("auto");
    const sink = columnSink({ kernels, strings, kind: "text", invalidText: "error" }, toBytes("fill"), false);
    const at = { key: "/c/0", chunk: [0] };
    const put = (offset: number, texts: readonly string[]): void => {
      kernels.begin(1 << 20);
      const box = { shape: [texts.length], offset: 0, strides: [1] };
      sink.put(columnOf(texts), box, { ...box, offset }, new Uint8Array(0), at);
    };
    put(2, ["c", "d"]);
    put(0, ["much longer than what follows", "as well"]);
    sink.fill({ shape: [2], offset: 4, strides: [1] });
    put(0, ["a", ""]);
    put(4, ["e", "f"]);
    const { offsets, data } = sink.finish(6);
    expect([...offsets]).toEqual([0, 1, 1, 2, 3, 4, 5]);
    expect(new TextDecoder().decode(data)).toBe("acdef");
  });
});
