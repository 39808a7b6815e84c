/**
 * GRIB, pcodec, zfp, TIFF's codecs and images in workers, which load what decodes them: the values of Python.
 */
import { expect, test } from "vitest";
import { fromBase64 } from "../codecs/harness.js";
import { imageCases, storedImage } from "../codecs/image-cases.js";
import { inShard, inV2, inV3, type StoredChunk } from "../codecs/stored-chunks.js";
import grib from "../fixtures/codecs/grib.json" with { type: "json" };
import images from "../fixtures/codecs/images.json" with { type: "json" };
import pcodec from "../fixtures/codecs/pcodec.json" with { type: "json" };
import tiff from "../fixtures/codecs/tiff.json" with { type: "json" };
import zfp from "../fixtures/codecs/zfp.json" with { type: "json" };
import { SlowStore } from "../setup/stores.js";
import { expectSameBytes, loadApi, useWorkersOnFiles } from "./dist.js";

const api = await loadApi();
const { pool } = await useWorkersOnFiles();

type Case = StoredChunk & { readonly name: string; readonly values: Uint8Array };

function messageOf(wanted: string): Case {
  const { name, message, values } = grib.cases.find((each) => each.name === wanted) ?? {
    name: "",
    message: "",
    values: "",
  };
  const decoded = fromBase64(values);
  return {
    ...{ name, chunk: fromBase64(message), values: decoded, shape: [decoded.length / 8] },
    ...{ dataType: "float64", dtype: "<f8", codecs: [{ name: "gribberish" }] },
    v2: { filters: [{ id: "grib", var: "t" }] },
  };
}

function numbersOf(wanted: string): Case {
  const { name, data, numbers } = pcodec.cases.find((each) => each.name === wanted) ?? {
    name: "",
    data: "",
    numbers: "",
  };
  const decoded = fromBase64(numbers);
  return {
    ...{ name, chunk: fromBase64(data), values: decoded, shape: [decoded.length / 4] },
    ...{ dataType: "float32", dtype: "<f4", codecs: [{ name: "numcodecs.pcodec" }] },
    v2: { compressor: { id: "pcodec" } },
  };
}

/** Numbers of zfp, of float32. */
function fieldOf(wanted: string): Case {
  const found = zfp.cases.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no data ${wanted}`);
  const decoded = fromBase64(found.numbers);
  return {
    ...{ name: `zfp ${found.name}`, chunk: fromBase64(found.data), values: decoded },
    ...{ shape: [decoded.length / 4], dataType: "float32", dtype: "<f4" },
    ...{ codecs: [{ name: "numcodecs.zfpy" }], v2: { compressor: { id: "zfpy" } } },
  };
}

/** A chunk of bytes, or one that a predictor made of numbers. */
function tileOf(codec: string, type: string, dtype: string): Case {
  const found = tiff.cases.find((each) => each.codec === codec && each.type === type);
  if (found === undefined) throw new Error(`no tile of ${codec}`);
  const { shape, configuration } = found;
  const name = `imagecodecs_${codec}`;
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const filter = { id: name, ...configuration, shape, dtype };
  const compressed = { codecs: [bytes, { name }], v2: { compressor: { id: name } } };
  // In v3 imagecodecs' floats are bytes at once.
  const after = codec === "delta" ? [bytes] : [];
  const predicted = { codecs: [{ name, configuration }, ...after], v2: { filters: [filter] } };
  const form = codec === "lzw" || codec === "packbits" ? compressed : predicted;
  return {
    ...{ name: `${name} of ${type}`, chunk: fromBase64(found.encoded), values: fromBase64(found.decoded) },
    ...{ shape, dataType: type, dtype, ...form },
  };
}

function imageOf(wanted: string): Case {
  const found = imageCases(images).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no image ${wanted}`);
  return { ...storedImage(found), name: found.name, values: found.values };
}

const CASES = [
  ...["simple 12 bits", "ccsds bitmap", "jpeg 12 bits", "png 16 bits"].map(messageOf),
  ...["classic: float32"].map(numbersOf),
  ...["reversible, smooth: float32 [2, 3, 5]", "fixed_rate, noise: float32 [1, 2, 3, 5]"].map(fieldOf),
  tileOf("lzw", "uint8", "|u1"),
  tileOf("packbits", "uint8", "|u1"),
  tileOf("delta", "uint16", "<u2"),
  tileOf("floatpred", "float32", "<f4"),
  ...["png uint8 [3]", "lerc uint8"].map(imageOf),
];

test.each(CASES)("$name, in v2, v3 and a shard", async (each) => {
  for (const values of [inV2(each), inV3(each), inShard(each)]) {
    const store = new SlowStore(values);
    const { data } = await api.get(await api.open(store, { kind: "array" }), null, { workers: pool });
    if (!ArrayBuffer.isView(data)) throw new Error("expected a typed array");
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    expect(bytes.length).toBe(each.values.length);
    // NaN has several forms.
    if (each.dataType === "float64") expect(data).toEqual(new Float64Array(each.values.slice().buffer));
    else expectSameBytes(bytes, each.values);
  }
});
