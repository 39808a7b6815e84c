/**
 * Compression bombs: chunks and zip entries that are short and become long. They are refused at their bound,
 * and decoded where a read allows it.
 */
import { deflateRawSync, constants as zlib } from "node:zlib";
import { MemoryStore } from "../../src/core/stores/memory.js";
import { create, get, isZarrError, open, set } from "../../src/index.js";
import { ZipStore } from "../../src/stores/zip/zip.js";
import type { Campaign, Row } from "./campaign.js";

const MIB = 1 << 20;
const HEADER = 8;

/** A chunk of one element in vlen-bytes: `mebibytes` of zeros. */
export interface Bomb {
  readonly name: string;
  readonly codec: string | { readonly name: string; readonly configuration: object };
  /** The chunk as it is stored; not what it ends in, where nobody gets there. */
  make(mebibytes: number): Promise<Uint8Array> | Uint8Array;
  /** Mebibytes in a second, about, to choose a bound that is reached in time. */
  readonly slow?: boolean;
}

function header(mebibytes: number): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 1, true);
  view.setUint32(4, mebibytes * MIB, true);
  return bytes;
}

/** A deflate stream without its end. */
const deflated = (() => {
  const piece = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 9, finishFlush: zlib.Z_FULL_FLUSH });
  const zeros = piece(new Uint8Array(MIB));
  return (mebibytes: number): Buffer =>
    Buffer.concat([piece(header(mebibytes)), ...new Array<Buffer>(mebibytes).fill(zeros), Buffer.of(3, 0)]);
})();

function gzip(mebibytes: number, claimed: number): Uint8Array {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(claimed, 4);
  return Buffer.concat([Buffer.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3), deflated(mebibytes), trailer]);
}

/** Blocks of one repeated byte: 32768 times as long. */
function zstd(mebibytes: number, isClaimed: boolean): Uint8Array {
  const frame = Buffer.alloc(isClaimed ? 10 : 6);
  frame.writeUInt32LE(0xfd2fb528);
  frame[4] = isClaimed ? 0x80 : 0;
  // A window of 8 MiB.
  frame[5] = 13 << 3;
  if (isClaimed) frame.writeUInt32LE(mebibytes * MIB + HEADER, 6);
  const block = (type: number, size: number, isLast: boolean): Buffer => {
    const head = Buffer.alloc(3);
    head.writeUIntLE((isLast ? 1 : 0) | (type << 1) | (size << 3), 0, 3);
    return head;
  };
  const blocks: Uint8Array[] = [frame, block(0, HEADER, false), header(mebibytes)];
  for (let i = 1; i <= 8 * mebibytes; i++)
    blocks.push(block(1, MIB / 8, i === 8 * mebibytes), Uint8Array.of(0));
  return Buffer.concat(blocks);
}

async function written(name: string, configuration: object, mebibytes: number): Promise<Uint8Array> {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, layoutOf({ name, configuration }));
  await set(array, null, { data: [new Uint8Array(mebibytes * MIB)], shape: [1] });
  return store.get("/c/0") ?? new Uint8Array();
}

const blosc = (cname: string): Bomb => {
  const configuration = { cname, clevel: 9, shuffle: "noshuffle", typesize: 1, blocksize: 0 };
  return {
    name: `blosc with ${cname}`,
    codec: { name: "blosc", configuration },
    make: (mebibytes) => written("blosc", configuration, mebibytes),
  };
};

/** Streams one behind the other, each of a mebibyte and the header of one. */
const repeated = (name: string, codec: string, base64: string): Bomb => ({
  name,
  codec,
  slow: true,
  make: (mebibytes) => Buffer.concat(new Array<Buffer>(mebibytes).fill(Buffer.from(base64, "base64"))),
});

export const BOMBS: readonly Bomb[] = [
  { name: "gzip", codec: "gzip", make: (n) => gzip(n, n * MIB + HEADER) },
  { name: "gzip with a false length", codec: "gzip", make: (n) => gzip(n, 100) },
  {
    name: "zlib",
    codec: "numcodecs.zlib",
    make: (n) => Buffer.concat([Buffer.of(0x78, 0xda), deflated(n), Buffer.alloc(4)]),
  },
  { name: "zstd", codec: "zstd", make: (n) => zstd(n, true) },
  { name: "zstd without a length", codec: "zstd", make: (n) => zstd(n, false) },
  ...["lz4", "zstd", "zlib", "blosclz"].map(blosc),
  { name: "lz4", codec: "numcodecs.lz4", make: (n) => written("numcodecs.lz4", {}, n) },
  repeated(
    "bz2",
    "numcodecs.bz2",
    "QlpoOTFBWSZTWR/rfncAICRgAOACQAAACCAAMM0AUpR+p2CAb9SgLc3BAPC7kinChID/W/O4",
  ),
  repeated(
    "lzma",
    "numcodecs.lzma",
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj8AAHAN1dAACAPRYLOZG11/U3YIONuCuW7CG8Gfod1/q/LlScjhEwHuZaoJUxuYl9oaFQKl8s+QOV4I85VuZF2uhSKXLa5pffRCxiTaV7k0CKMuiBGJLxJfn1tEdQJdHMokhRDui7OXKNvza3+US2YO2mcN5OXncomgqYVG7Xi8qIP18x+8hP6BM9t+OAuiOo+AaL2fV/1g0bP313q4MUIW7R1XrzPhRTYnasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EIXzDT0AAAAAAGLY2PfkAYZWAAH5AYiAQADtfwn1scRn+wIAAAAABFla",
  ),
];

function layoutOf(codec: Bomb["codec"]) {
  return {
    shape: [1],
    chunkShape: [1],
    dtype: "bytes",
    codecs: ["vlen-bytes", JSON.parse(JSON.stringify(codec))],
  };
}

/** What reading the chunk is refused with. */
export async function explode(
  { codec }: Bomb,
  chunk: Uint8Array,
  options: { readonly maximumDecodedBytes?: number },
): Promise<unknown> {
  const store = new Map<string, Uint8Array>();
  // Written as if for another codec: two of them are only read.
  await create(store, layoutOf("gzip"));
  const document = new TextDecoder().decode(store.get("/zarr.json"));
  const metadata: { codecs: unknown[] } = JSON.parse(document);
  metadata.codecs[1] = typeof codec === "string" ? { name: codec, configuration: {} } : codec;
  store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(metadata)));
  store.set("/c/0", chunk);
  try {
    const { data } = await get(await open(store, { kind: "array" }), null, options);
    return data;
  } catch (error) {
    return error;
  }
}

const CRC = 14;

/** An archive of one deflated entry that becomes longer than it says, or says what its length is. */
export function zipBomb(mebibytes: number, claimed: number): Uint8Array {
  const data = deflated(mebibytes);
  const name = Buffer.from("c/0");
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(0, CRC);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(claimed, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(claimed, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, name, data, entry, name, end]);
}

/** What an entry of a zip archive is refused with. */
export async function explodeZip(archive: Uint8Array, maximumBytes: number | undefined): Promise<unknown> {
  const store = new MemoryStore();
  store.set("/bomb.zip", archive);
  try {
    return await new ZipStore(store, "/bomb.zip").get("/c/0", { maximumBytes });
  } catch (error) {
    return error;
  }
}

interface Attempt {
  readonly stored: number;
  readonly error: unknown;
  readonly isRight: boolean;
}

/** As often as there is time for. */
async function again(attack: string, until: number, attempt: () => Promise<Attempt>): Promise<Row> {
  const broken: string[] = [];
  let [rounds, stored, milliseconds] = [0, 0, 0];
  do {
    const begin = performance.now();
    const result = await attempt();
    milliseconds = Math.max(milliseconds, performance.now() - begin);
    stored = Math.max(stored, result.stored);
    rounds++;
    if (!result.isRight) broken.push(`${attack}: ${String(result.error).slice(0, 200)}`);
  } while (performance.now() < until && broken.length < 10);
  return {
    attack,
    rounds,
    broken,
    figures: { "stored bytes at most": stored, "ms at most": Math.ceil(milliseconds) },
  };
}

export const bombs: Campaign = {
  name: "bombs",
  holds: "what becomes longer than it may is refused with the option that allows it",
  async run(until, random) {
    const rows: Row[] = [];
    const made = new Map<string, Uint8Array>();
    const attacks = BOMBS.map(
      (bomb) => (end: number) =>
        again(bomb.name, end, async () => {
          const isDefault = bomb.slow !== true && random() < 0.5;
          const mebibytes = isDefault ? 300 + Math.floor(random() * 3) * 50 : 4 + Math.floor(random() * 5);
          const name = `${bomb.name} ${mebibytes}`;
          const chunk = made.get(name) ?? (await bomb.make(mebibytes));
          made.set(name, chunk);
          // Longer than 32 times what is stored, or else it is no bomb.
          const options = isDefault ? {} : { maximumDecodedBytes: 1 + Math.floor(random() * 3 * MIB) };
          const error = await explode(bomb, chunk, options);
          const isRight = isZarrError(error, "CodecError") && error.message.includes("maximumDecodedBytes");
          return { stored: chunk.length, error, isRight };
        }),
    );
    attacks.push((end) =>
      again("deflated zip entries", end, async () => {
        const mebibytes = 1 + Math.floor(random() * 200);
        const isTrue = random() < 0.5;
        const archive = zipBomb(
          mebibytes,
          isTrue ? mebibytes * MIB + HEADER : 1 + Math.floor(random() * MIB),
        );
        const error = await explodeZip(archive, isTrue ? MIB : undefined);
        return { stored: archive.length, error, isRight: isZarrError(error, "StoreError") };
      }),
    );
    for (const [i, each] of attacks.entries()) {
      rows.push(await each(performance.now() + (until - performance.now()) / (attacks.length - i)));
      made.clear();
    }
    return rows;
  },
};
