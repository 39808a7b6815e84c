// Writes test/fixtures/variable-length.json: stores of elements of variable length, written by zarr-python 3
// and 2, zarrs and pyarrow, with the expected elements. Run install.sh first.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const oracles = JSON.parse(readFileSync(".oracles/versions.json", "utf8"));
const SHAPE = [3, 5];
const TEXTS = [
  "",
  "a",
  "the",
  "quick brown fox",
  "\0",
  "é",
  "€uro",
  "日本語",
  "😀",
  "\ufeffmarked",
  "a\0b\0",
  "x".repeat(70),
  "",
  "",
  "end 😀",
];
const base64 = (text) => Buffer.from(text).toString("base64");
const common = { path: "/", shape: SHAPE, chunk_shape: [2, 3], compressed: false };
const string = { data_type: "string", object_codec: "vlen-utf8", fill_value: "", elements: TEXTS };
const bytes = { data_type: "bytes", object_codec: "vlen-bytes", fill_value: "", elements: TEXTS.map(base64) };
const lists = {
  data_type: "object",
  object_codec: "vlen-array",
  fill_value: null,
  elements: TEXTS.map((_, i) => Array.from({ length: i % 4 }, (__, k) => k * 70000 - i)),
};
const objects = {
  data_type: "object",
  fill_value: null,
  elements: TEXTS.map((text, i) => [text, i, -i * 1000, i / 4, null, true, [text, [1]], { a: i }][i % 8]),
};

const arrays = [];

function python(writer, executable, module, cases) {
  const requests = JSON.stringify({ write: cases, read: [] });
  const { stdout, status } = spawnSync(executable, ["scripts/oracles/round_trip.py", module], {
    input: requests,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${writer} failed`);
  const answers = JSON.parse(stdout);
  cases.forEach(({ name, data_type, elements, object_codec, zarr_format = 3 }, i) => {
    const answer = answers.write[i];
    if (answer.error) throw new Error(`${writer}, ${name}: ${answer.error}`);
    arrays.push({
      writer,
      name,
      zarr_format,
      data_type,
      object_codec,
      elements,
      shape: cases[i].shape,
      store: answer.store,
    });
  });
}

python(
  "zarr-python 3.4.2",
  oracles.python.executable,
  "variable_length",
  [string, bytes].flatMap((kind) => [
    { ...common, ...kind, name: "v3", zarr_format: 3, order: "C" },
    { ...common, ...kind, name: "v3, transposed, compressed", zarr_format: 3, order: "F", compressed: true },
    { ...common, ...kind, name: "v3, sharded", zarr_format: 3, order: "C", shards: [4, 6] },
    { ...common, ...kind, name: "v2, order F", zarr_format: 2, order: "F" },
  ]),
);
python("zarr-python 2.13.6", oracles.debian.executable, "variable_length", [
  { ...common, ...string, name: "v2", zarr_format: 2, order: "C", fill_value: null },
  { ...common, ...bytes, name: "v2, order F", zarr_format: 2, order: "F", fill_value: null },
  { ...common, ...lists, name: "vlen-array", zarr_format: 2, order: "C", chunk_shape: [1, 5] },
  { ...common, ...objects, object_codec: "json2", name: "json2", zarr_format: 2, order: "C" },
  { ...common, ...objects, object_codec: "msgpack2", name: "msgpack2", zarr_format: 2, order: "C" },
]);
python(
  "pyarrow 24.0.0",
  oracles.python.executable,
  "zep7",
  ["string", "binary", "large_string", "large_binary"].flatMap((data_type) =>
    ["little", "big"].map((endian) => ({
      ...common,
      name: `${data_type}, ${endian}`,
      data_type,
      endian,
      fill_value: base64("fill"),
      elements: TEXTS.map(base64),
    })),
  ),
);

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const crc32c = { name: "crc32c", configuration: {} };
const gzip = { name: "gzip", configuration: { level: 1 } };
const transpose = { name: "transpose", configuration: { order: [1, 0] } };
const sharded = (chunk_shape, codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape, codecs, index_codecs: [little, crc32c], index_location: "end" },
});
/** `data_codecs` follow the codec `bytes`; `data` replaces the whole list of codecs. */
const vlen = (
  index_codecs,
  data_codecs,
  index_data_type,
  rest,
  data = [{ name: "bytes" }, ...data_codecs],
) => ({
  name: "zarrs.vlen",
  configuration: { index_codecs, data_codecs: data, index_data_type, ...rest },
});
const forms = {
  "vlen 0.0, uint32": [vlen([little], [], "uint32")],
  "vlen 0.1, start, uint64": [vlen([little], [], "uint64", { index_location: "start" })],
  "vlen 0.1, end, big endian, checksums": [
    vlen([big, crc32c], [crc32c], "uint32", { index_location: "end" }),
  ],
  "vlen 0.1, end, compressed": [vlen([little, gzip], [gzip], "uint64", { index_location: "end" })],
  "vlen by its URL": [
    {
      ...vlen([little], [], "uint32", { index_location: "end" }),
      name: "https://codec.zarrs.dev/array_to_bytes/vlen",
    },
  ],
  "vlen 0.0 by its URL": [
    { ...vlen([little], [], "uint64", {}), name: "https://codec.zarrs.dev/array_to_bytes/vlen" },
  ],
  "vlen of other codecs": [
    vlen([sharded([1], [big, gzip])], [], "uint64", { index_location: "end" }, [
      sharded([1], [{ name: "bytes" }]),
      crc32c,
    ]),
  ],
  "vlen of array codecs": [
    vlen(
      [{ name: "reshape", configuration: { shape: [1, -1] } }, transpose, little],
      [],
      "uint32",
      { index_location: "start" },
      [{ name: "packbits", configuration: { padding_encoding: "none" } }, gzip],
    ),
  ],
  vlen_v2: [{ name: "zarrs.vlen_v2", configuration: {} }],
  "vlen_v2 by its URL": [{ name: "https://codec.zarrs.dev/array_to_bytes/vlen_v2", configuration: {} }],
  "vlen-utf8": [{ name: "vlen-utf8", configuration: {} }],
  "in shards": [
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [1, 3],
        codecs: [vlen([little], [], "uint32", { index_location: "end" })],
        index_codecs: [little, crc32c],
        index_location: "start",
      },
    },
  ],
};
const folder = mkdtempSync(join(tmpdir(), "zarrs-"));
for (const [name, codecs] of Object.entries(forms)) {
  for (const data_type of ["string", "bytes"]) {
    const store = join(folder, `${name}-${data_type}`);
    mkdirSync(store);
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      shape: SHAPE,
      data_type,
      fill_value: data_type === "string" ? "" : [],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs,
    };
    const spec = join(folder, "spec.json");
    writeFileSync(
      spec,
      JSON.stringify([
        { path: "/", metadata, elements: TEXTS.map((text) => Buffer.from(text).toString("hex")) },
      ]),
    );
    execFileSync(oracles.zarrs.executable, ["write", spec, store]);
    const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const entries = files.map((file) => [
      join(file.parentPath, file.name).slice(store.length),
      readFileSync(join(file.parentPath, file.name)).toString("base64"),
    ]);
    arrays.push({
      writer: `zarrs ${oracles.zarrs.version}`,
      name,
      zarr_format: 3,
      data_type,
      elements: data_type === "string" ? TEXTS : TEXTS.map(base64),
      shape: SHAPE,
      store: Object.fromEntries(entries.sort()),
    });
  }
}
rmSync(folder, { recursive: true });
const text = `[\n${arrays.map((array) => JSON.stringify(array)).join(",\n")}\n]\n`;
writeFileSync("test/fixtures/variable-length.json", text);
console.log(`${arrays.length} arrays, ${text.length} bytes`);
