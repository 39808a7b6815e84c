/**
 * Documents, chunks and archives that were changed at random: what is read is an error of wazarr's, or
 * elements, as soon as before.
 */

import { MemoryStore } from "../../src/core/stores/memory.js";
import { create, get, isZarrError, open, root, set } from "../../src/index.js";
import { packZip, ZipStore } from "../../src/stores/zip/zip.js";
import { random as integers, mutate } from "../fuzz/mutate.js";
import type { Campaign, Row } from "./campaign.js";

/** Elements of an array that is read: what a document may declare is not what anybody asks for. */
const MOST = 1 << 20;
const DECODED = 16 << 20;

const LAYOUTS = [
  { name: "plain, gzip", options: { chunkShape: [8, 8], codecs: ["bytes", "gzip"] } },
  { name: "zstd and crc32c", options: { chunkShape: [8, 8], codecs: ["bytes", "zstd", "crc32c"] } },
  { name: "shards, blosc", options: { chunkShape: [4, 8], shards: [8, 16], codecs: ["bytes", "blosc"] } },
  { name: "text, zstd", options: { chunkShape: [8, 8], dtype: "string", codecs: ["vlen-utf8", "zstd"] } },
  { name: "v2", options: { chunkShape: [8, 8], zarrFormat: 2 } },
] as const;

type Values = Map<string, Uint8Array>;

async function made({ options }: (typeof LAYOUTS)[number]): Promise<Values> {
  const store: Values = new Map();
  const text = "dtype" in options;
  const array = await create(root(store).resolve("/a"), {
    dtype: "int32",
    ...JSON.parse(JSON.stringify(options)),
    shape: [20, 20],
    attributes: { units: "K", nested: { list: [1, 2.5, null, "x"] } },
  });
  const data = Array.from({ length: 400 }, (_, i) => i * i);
  const elements = text ? data.map((value) => "é".repeat(value % 7)) : Int32Array.from(data);
  await set(array, null, { data: elements, shape: [20, 20] });
  return store;
}

/** Reads at most a few elements. @returns what was wrong */
async function read(open_: () => ReturnType<typeof open>): Promise<"read" | "refused" | Error> {
  try {
    const node = await open_();
    if (node.kind === "group") return "read";
    const selection = node.shape.map((length) => ({ start: 0, stop: Math.min(length, 32), step: 1 }));
    const count = selection.reduce((product, { stop }) => product * stop, 1);
    if (count <= MOST) await get(node, selection, { maximumDecodedBytes: DECODED });
    return "read";
  } catch (error) {
    if (isZarrError(error)) return "refused";
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function again(
  attack: string,
  until: number,
  attempt: () => Promise<"read" | "refused" | Error>,
): Promise<Row> {
  const broken: string[] = [];
  let [rounds, wasRead, milliseconds] = [0, 0, 0];
  do {
    const begin = performance.now();
    const result = await attempt();
    milliseconds = Math.max(milliseconds, performance.now() - begin);
    rounds++;
    if (result === "read") wasRead++;
    else if (result !== "refused")
      broken.push(`${attack}: ${(result.stack ?? result.message).slice(0, 400)}`);
  } while (performance.now() < until && broken.length < 10);
  return { attack, rounds, broken, figures: { read: wasRead, "ms at most": Math.ceil(milliseconds) } };
}

const ATOMS = [
  "null",
  "true",
  "-1",
  "0",
  "1e999",
  "65536",
  "4294967296",
  '"x"',
  "[]",
  "{}",
  "[[]]",
  '"NaN"',
  "1.5",
];

/** A document with a value, a member or a byte of it changed. */
function changed(document: Uint8Array, random: () => number): Uint8Array {
  const text = new TextDecoder().decode(document);
  const places = [...text.matchAll(/-?\d+(\.\d+)?|"[^"]*"|true|false|null|\[[^[\]]*\]|\{[^{}]*\}/g)];
  const place = places[Math.floor(random() * places.length)];
  if (place === undefined || random() < 0.3)
    return mutate(document, document, integers(1 + Math.floor(random() * 2 ** 30)));
  const atom = ATOMS[Math.floor(random() * ATOMS.length)] ?? "null";
  const many = random() < 0.2 ? `[${new Array(2 + Math.floor(random() * 200)).fill(atom).join(",")}]` : atom;
  return new TextEncoder().encode(
    text.slice(0, place.index) + many + text.slice(place.index + place[0].length),
  );
}

function campaign(
  name: string,
  holds: string,
  makeAttempts: (random: () => number) => Promise<Map<string, () => Promise<"read" | "refused" | Error>>>,
): Campaign {
  return {
    name,
    holds,
    async run(until, random) {
      const rows: Row[] = [];
      const attempts = [...(await makeAttempts(random))];
      for (const [i, [attack, attempt]] of attempts.entries())
        rows.push(
          await again(
            attack,
            performance.now() + (until - performance.now()) / (attempts.length - i),
            attempt,
          ),
        );
      return rows;
    },
  };
}

export const metadata = campaign(
  "metadata",
  "documents that were changed are refused by a typed error, or read",
  async (random) => {
    const attempts = new Map<string, () => Promise<"read" | "refused" | Error>>();
    for (const layout of LAYOUTS) {
      const values = await made(layout);
      const keys = [...values.keys()].filter((key) => key.includes("/zarr.json") || key.includes("/.z"));
      attempts.set(`documents of ${layout.name}`, () => {
        const store = new Map(values);
        const key = keys[Math.floor(random() * keys.length)] ?? "";
        store.set(key, changed(values.get(key) ?? new Uint8Array(), random));
        return read(() => open(root(store).resolve("/a")));
      });
    }
    return attempts;
  },
);

export const chunks = campaign(
  "chunks",
  "chunks and archives that were changed are refused by a typed error, or read",
  async (random) => {
    const attempts = new Map<string, () => Promise<"read" | "refused" | Error>>();
    const next = () => integers(1 + Math.floor(random() * 2 ** 30));
    for (const layout of LAYOUTS) {
      const values = await made(layout);
      const keys = [...values.keys()].filter((key) => !key.includes("zarr.json") && !key.includes("/.z"));
      attempts.set(`chunks of ${layout.name}`, () => {
        const store = new Map(values);
        for (const key of keys) {
          const chunk = values.get(key) ?? new Uint8Array();
          if (random() < 0.3) store.set(key, mutate(chunk, chunk, next()));
        }
        return read(() => open(root(store).resolve("/a")));
      });
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of packZip(await made(LAYOUTS[0]))) pieces.push(piece);
    const archive = new Uint8Array(Buffer.concat(pieces));
    attempts.set("zip archives", () => {
      const store = new MemoryStore();
      store.set("/a.zip", mutate(archive, archive, next()));
      return read(() => open(root(new ZipStore(store, "/a.zip")).resolve("/a")));
    });
    return attempts;
  },
);
