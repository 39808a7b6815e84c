/**
 * Decodes and encodes one chunk of 4 MiB with this package (WebAssembly, fallback), other JavaScript
 * libraries, and native numcodecs (C, one thread). All decode the same bytes, which native numcodecs wrote.
 * Needs scripts/oracles/install.sh.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync as nodeGunzip } from "node:zlib";
import { gunzipSync } from "fflate";
import Blosc from "numcodecs/blosc";
import LZ4 from "numcodecs/lz4";
import Zstd from "numcodecs/zstd";
import type { BytesToBytesCodec } from "../../src/core/codecs/codec.js";
import { loadForWriting } from "../../src/core/codecs/modules/writing-modules.js";
import { loadCodec } from "../../src/core/codecs/registry/registry.js";
import { dataTypeFromV3 } from "../../src/data-types/registry.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { Python } from "../peers/python.js";
import { type Care, type Effort, here, median, race, rate } from "../race.js";
import { against, figure, type Section } from "../table.js";
import { memcpyRate } from "./kernels.js";

/** Codecs, as numcodecs configurations, that one table compares with the same decoders of other packages. */
interface CodecGroup {
  readonly codecs: readonly { readonly name: string; readonly codec: JsonObject }[];
  readonly others: Readonly<Record<string, (encoded: Uint8Array, byteLength: number) => unknown>>;
}

const blosc = (cname: string, shuffle: number): JsonObject => ({
  id: "blosc",
  cname,
  shuffle,
  clevel: 5,
  blocksize: 0,
});
const numcodecs = {
  blosc: Blosc.fromConfig({ id: "blosc" }),
  lz4: LZ4.fromConfig({ id: "lz4" }),
  zstd: Zstd.fromConfig({ id: "zstd" }),
};

function decompressionStream(encoded: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([encoded.slice()]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

const GROUPS: readonly CodecGroup[] = [
  {
    codecs: [
      { name: "blosc lz4 shuffle", codec: blosc("lz4", 1) },
      { name: "blosc lz4 bitshuffle", codec: blosc("lz4", 2) },
      { name: "blosc lz4", codec: blosc("lz4", 0) },
      { name: "blosc blosclz shuffle", codec: blosc("blosclz", 1) },
      { name: "blosc zstd shuffle", codec: blosc("zstd", 1) },
    ],
    others: { "numcodecs.js": (encoded) => numcodecs.blosc.decode(encoded) },
  },
  {
    codecs: [{ name: "lz4", codec: { id: "lz4", acceleration: 1 } }],
    others: { "numcodecs.js": (encoded) => numcodecs.lz4.decode(encoded) },
  },
  {
    codecs: [1, 5, 19].map((level) => ({ name: `zstd ${level}`, codec: { id: "zstd", level } })),
    others: { "numcodecs.js": (encoded) => numcodecs.zstd.decode(encoded) },
  },
  {
    codecs: [1, 5].map((level) => ({ name: `gzip ${level}`, codec: { id: "gzip", level } })),
    others: {
      fflate: (encoded, byteLength) => gunzipSync(encoded, { out: new Uint8Array(byteLength) }),
      "node:zlib": (encoded) => nodeGunzip(encoded),
      DecompressionStream: decompressionStream,
    },
  },
  {
    codecs: ["crc32c", "crc32", "adler32", "fletcher32", "jenkins_lookup3"].map((id) => ({
      name: id,
      codec: { id },
    })),
    others: {},
  },
];

const EXTENT = 1024;

interface Data {
  readonly name: string;
  readonly dtype: "<f4" | "<u2";
  readonly bytes: Uint8Array;
}

function gaussian(): () => number {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Temperatures: a smooth field with noise, in steps of 1/128 as from an instrument, or without steps. */
function field(step: number): Float32Array {
  const noise = gaussian();
  return Float32Array.from({ length: EXTENT * EXTENT }, (_, i) => {
    const value =
      280 + 20 * Math.sin((i % EXTENT) / 97) * Math.cos(Math.floor(i / EXTENT) / 61) + 0.05 * noise();
    return step === 0 ? value : Math.round(value / step) * step;
  });
}

/** Bright spots on a noisy background. */
function image(): Uint16Array {
  const noise = gaussian();
  return Uint16Array.from({ length: 2 * EXTENT * EXTENT }, (_, i) => {
    const x = (i % 128) - 64;
    const y = (Math.floor(i / EXTENT) % 128) - 64;
    return 230 + 3000 * Math.exp(-(x * x + y * y) / 900) + 5.5 * noise();
  });
}

const bytesOf = (array: Float32Array | Uint16Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const DATA: readonly Data[] = [
  { name: "float32", dtype: "<f4", bytes: bytesOf(field(0)) },
  { name: "float32 in 1/128", dtype: "<f4", bytes: bytesOf(field(1 / 128)) },
  { name: "uint16 image", dtype: "<u2", bytes: bytesOf(image()) },
];

/** @returns undefined without native numcodecs, which writes the encoded bytes */
export async function benchCodecs({ isQuick, effort }: Care): Promise<Section | undefined> {
  const native = Python.start("numcodecs");
  if (native === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "codecs-"));
  const kernels = { wasm: await kernelsOf("wasm"), javascript: await kernelsOf("javascript") };
  try {
    const tables = [];
    for (const { codecs, others } of isQuick ? GROUPS.slice(-1) : GROUPS) {
      const rows: string[][] = [];
      for (const data of DATA) {
        const file = join(folder, data.dtype);
        writeFileSync(file, data.bytes);
        for (const { name, codec } of codecs) {
          const { compression, turns } = await bench(codec, data, file, native, kernels, others, effort);
          rows.push([`${name}, ${data.name}`, figure(compression), ...cells(turns, data.bytes.length)]);
        }
      }
      tables.push({ header: headerOf(Object.keys(others)), rows });
    }
    return {
      title: "Codecs",
      text: `Native numcodecs (C, one thread) encoded one chunk of 4 MiB. The data are float32 with noise in every bit, the same in steps of 1/128 as instruments give them, and a uint16 image. "+ copy out" is the time to decode the chunk and to copy it into an ordinary array. Peers are compared with that. If the compressor found nothing to compress and stored the bytes as they are, decoding only points at them, and "decode" is no speed. memcpy of the same size: ${memcpyRate(4 * EXTENT * EXTENT, isQuick).toFixed(1)} GB/s.`,
      tables,
    };
  } finally {
    native.close();
    rmSync(folder, { recursive: true });
  }
}

async function kernelsOf(choice: "wasm" | "javascript"): Promise<Kernels> {
  setKernels(choice);
  const kernels = await loadKernels();
  setKernels("auto");
  return kernels;
}

/** Turns, in the order of `cells`. */
async function bench(
  codec: JsonObject,
  data: Data,
  file: string,
  native: Python,
  { wasm, javascript }: { readonly wasm: Kernels; readonly javascript: Kernels },
  others: CodecGroup["others"],
  effort: Effort,
) {
  const encodedFile = `${file}.encoded`;
  const request = { codec, dtype: data.dtype, data: file, encoded: encodedFile };
  await native.run({ kind: "encode", ...request });
  const encoded = new Uint8Array(readFileSync(encodedFile));
  const { length } = data.bytes;
  const writer = await prepare(wasm, codec, data.dtype);
  const decode = await decoder(wasm, codec, encoded, data);
  const fallback = await decoder(javascript, codec, encoded, data);
  const out = new Uint8Array(length).fill(1);
  const turns = await race(
    [
      here(async () => decode()),
      here(async () => {
        const decoded = await decode();
        if (decoded instanceof Uint8Array) out.set(decoded);
      }),
      here(async () => fallback()),
      here(async () => {
        wasm.begin(3 * length + 2 ** 20);
        return writer.encode(data.bytes, { kernels: wasm });
      }),
      native.rival({ kind: "encode", ...request }),
      native.rival({ kind: "decode", ...request }),
      ...Object.values(others).map((other) => here(async () => other(encoded, length))),
    ],
    effort,
  );
  return { compression: length / encoded.length, turns };
}

const headerOf = (others: readonly string[]): string[] => [
  "GB/s of decoded bytes",
  "compressed",
  "decode",
  "+ copy out",
  "fallback",
  ...[...others, "native"].flatMap((name) => [name, "x"]),
  "encode",
  "native",
];

function cells(turns: readonly (readonly number[])[], byteLength: number): string[] {
  const speed = (each: readonly number[] | undefined): string =>
    figure(rate(byteLength, Number(median(each)) / 1000));
  const [decode, copied, fallback, encode, nativeEncode, nativeDecode = [], ...others] = turns;
  return [
    ...[decode, copied, fallback].map(speed),
    ...[...others, nativeDecode].flatMap((rival) => [speed(rival), against(rival, copied)]),
    ...[encode, nativeEncode].map(speed),
  ];
}

async function prepare(
  kernels: Kernels,
  { id, ...configuration }: JsonObject,
  dtype: Data["dtype"],
): Promise<BytesToBytesCodec> {
  const entry = await loadCodec(String(id));
  if (entry.codecKind === undefined) throw new Error("expected a codec of the package");
  await entry.load?.(kernels, configuration);
  await loadForWriting(kernels);
  const dataType = dataTypeFromV3(dtype === "<f4" ? "float32" : "uint16");
  const codec = entry.fromConfig(configuration, { shape: [1], dataType, fillValue: 0 });
  if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes")
    throw new Error("expected bytes to bytes");
  return codec;
}

/** @param encoded bytes in ordinary memory, as a store returns them */
async function decoder(
  kernels: Kernels,
  configuration: JsonObject,
  encoded: Uint8Array,
  { bytes: { length: byteLength }, dtype }: Data,
): Promise<() => unknown> {
  const codec = await prepare(kernels, configuration, dtype);
  return () => {
    kernels.begin(3 * byteLength + 2 ** 16);
    return codec.decode(encoded, { kernels, byteLength, maximumByteLength: byteLength });
  };
}
