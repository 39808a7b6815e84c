/**
 * Writes test/fixtures/zarrita.json with zarrita (v3 only: it writes no other format), in the form of
 * make_fixtures.py.
 *
 *   python cases.py | node make_fixtures_zarrita.mjs
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import * as zarr from "zarrita";

const FIXTURE = new URL("../../test/fixtures/zarrita.json", import.meta.url);
const version = JSON.parse(
  readFileSync(new URL("../../node_modules/zarrita/package.json", import.meta.url), "utf8"),
).version;

/** Why a case stays out of the fixtures, or undefined. */
function exclusion({ data_type, codecs, chunk_key_encoding, attributes, path, shape }) {
  if (data_type === "float16") return "needs Float16Array";
  if (codecs.length > 0) return "writes no compressed and no checksummed chunks";
  if (chunk_key_encoding !== "default") return "writes the default chunk key encoding only";
  if (attributes !== undefined || path.endsWith("minus-zero")) return "JSON.stringify loses the value";
  if (shape.includes(0)) return "cannot write empty arrays";
  if (/int64-m/.test(path) || path === "/v3/fills/scalar") return "writes no bigint fill value";
  return undefined;
}

const arrayClasses = {
  bool: zarr.BoolArray,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

function fromHex(dataType, hex) {
  return new arrayClasses[dataType](new Uint8Array(Buffer.from(hex, "hex")).buffer);
}

function scalarFromHex(dataType, hex) {
  const elements = fromHex(dataType, hex);
  return dataType === "bool" ? elements.get(0) : elements[0];
}

/** JSON has no NaN: zarrita writes what it is given, so it is given the specification's strings. */
function fillValue(dataType, hex) {
  const value = scalarFromHex(dataType, hex);
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function strides(shape) {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));
}

async function write(store, testCase) {
  const { data_type: dataType, shape, order, endian } = testCase;
  const transpose = order === null ? [] : [{ name: "transpose", configuration: { order } }];
  const array = await zarr.create(zarr.root(store).resolve(testCase.path), {
    shape,
    chunkShape: testCase.chunk_shape,
    dtype: dataType,
    codecs: [...transpose, { name: "bytes", configuration: { endian } }],
    fillValue: fillValue(dataType, testCase.fill_value),
    chunkSeparator: testCase.separator,
    dimensionNames: testCase.dimension_names,
  });
  if (shape.length === 0) return await zarr.set(array, null, scalarFromHex(dataType, testCase.data));
  const whole = { data: fromHex(dataType, testCase.data), shape, stride: strides(shape) };
  if (testCase.written === undefined) return await zarr.set(array, null, whole);
  for (const region of testCase.written) {
    // All regions of the cases are of one dimension.
    const [[start, stop]] = region;
    const digits = testCase.data.length / shape[0];
    const data = fromHex(dataType, testCase.data.slice(start * digits, stop * digits));
    await zarr.set(array, [zarr.slice(start, stop)], { data, shape: [stop - start], stride: [1] });
  }
}

const store = new Map();
const arrays = [];
const excluded = [];
for (const { case: testCase, expectation } of JSON.parse(readFileSync(0, "utf8"))) {
  const reason = exclusion(testCase);
  if (reason === undefined) {
    await write(store, testCase);
    arrays.push(expectation);
  } else {
    excluded.push({ path: testCase.path, reason });
  }
}

const lines = (items) => items.join(",\n");
const section = (name, items) => `"${name}": [\n${lines(items.map((item) => JSON.stringify(item)))}\n],\n`;
const entries = [...store]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, value]) => `${JSON.stringify(key)}: "${Buffer.from(value).toString("base64")}"`);
writeFileSync(
  FIXTURE,
  `{"writer": "zarrita", "versions": ${JSON.stringify({ zarrita: version })},\n` +
    section("excluded", excluded) +
    section("groups", []) +
    section("arrays", arrays) +
    `"store": {\n${lines(entries)}\n}}\n`,
);
const { size } = statSync(FIXTURE);
console.log(`zarrita: ${arrays.length} arrays, 0 groups, ${excluded.length} excluded, ${size} bytes`);
