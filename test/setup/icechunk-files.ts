/**
 * Builds files of Icechunk by hand, uncompressed: such that no writer makes, where many references lead to
 * one table.
 */

const MAGIC = [73, 67, 69, 240, 159, 167, 138, 67, 72, 85, 78, 75];
const HEADER = 39;
/** Bytes of a table: the offset of its vtable, and fields of up to 16 bytes. */
const TABLE = 68;

/** A field's length in bytes, and what writes it at a position. */
interface Field {
  readonly width: number;
  write(at: number): void;
}

class Flatbuffer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Lists of references to one place each. They are written last, when all places are known. */
  readonly #references: (readonly [from: number, count: number, to: () => number])[] = [];
  #end = 4;

  constructor(byteLength: number) {
    this.bytes = new Uint8Array(byteLength);
    this.#view = new DataView(this.bytes.buffer);
  }

  allocate(byteLength: number): number {
    const at = this.#end;
    this.#end += (byteLength + 3) & ~3;
    return at;
  }

  table(fields: ReadonlyMap<number, Field>): number {
    const count = Math.max(...fields.keys()) + 1;
    const vtable = this.allocate(4 + 2 * count);
    const table = this.allocate(TABLE);
    this.#view.setUint16(vtable, 4 + 2 * count, true);
    this.#view.setUint16(vtable + 2, TABLE, true);
    this.#view.setInt32(table, table - vtable, true);
    let offset = 4;
    for (const [slot, { width, write }] of fields) {
      this.#view.setUint16(vtable + 4 + 2 * slot, offset, true);
      write(table + offset);
      offset += width;
    }
    return table;
  }

  reference(to: () => number): Field {
    return { width: 4, write: (at) => void this.#references.push([at, 1, to]) };
  }

  /** A list, all of whose elements are references to one place if `to` is given. */
  list(length: number, width: number, to?: () => number): number {
    const at = this.allocate(4 + length * width);
    this.#view.setUint32(at, length, true);
    if (to !== undefined) this.#references.push([at + 4, length, to]);
    return at;
  }

  finish(root: number): Uint8Array {
    for (const [from, count, to] of this.#references) {
      for (let at = from; at < from + 4 * count; at += 4) this.#view.setUint32(at, to() - at, true);
    }
    this.#view.setUint32(0, root, true);
    return this.bytes.subarray(0, this.#end);
  }
}

interface Aliased {
  readonly nodes: number;
  readonly manifests?: number;
  readonly extents?: number;
  readonly pathLength?: number;
}

/** A snapshot whose lists of nodes, manifests and extents have one element, as often as asked for. */
export function aliasedSnapshot({ nodes, manifests = 0, extents = 0, pathLength = 2 }: Aliased): Uint8Array {
  const file = new Flatbuffer(4096 + 4 * nodes + 4 * manifests + 8 * extents + pathLength);
  const none: Field = { width: 12, write() {} };
  let [list, node, path, json, data, parts, part, ranges] = [0, 0, 0, 0, 0, 0, 0, 0];
  const root = file.table(new Map([[2, file.reference(() => list)]]));
  list = file.list(nodes, 4, () => node);
  const isArray: Field = {
    width: 4,
    write(at) {
      file.bytes[at] = 1;
    },
  };
  node = file.table(
    new Map([
      [0, none],
      [1, file.reference(() => path)],
      [2, file.reference(() => json)],
      [3, isArray],
      [4, file.reference(() => data)],
    ]),
  );
  data = file.table(new Map([[2, file.reference(() => parts)]]));
  parts = file.list(manifests, 4, () => part);
  part = file.table(
    new Map([[0, none], ...(extents > 0 ? [[1, file.reference(() => ranges)] as const] : [])]),
  );
  ranges = file.list(extents, 8);
  path = file.list(pathLength, 1);
  file.bytes.fill(0x61, path + 4, path + 4 + pathLength);
  file.bytes[path + 4] = 0x2f;
  json = file.list(2, 1);
  file.bytes.set([0x7b, 0x7d], json + 4);
  const body = file.finish(root);
  const whole = new Uint8Array(HEADER + body.length);
  whole.set(MAGIC);
  whole[36] = 1;
  whole[37] = 1;
  whole.set(body, HEADER);
  return whole;
}

const ID = "0".repeat(20);

/** A repository, format 1, whose branch "main" is this snapshot. */
export function repositoryWith(snapshot: Uint8Array): Map<string, Uint8Array> {
  const reference = new TextEncoder().encode(JSON.stringify({ snapshot: ID }));
  return new Map([
    ["/refs/branch.main/ref.json", reference],
    [`/snapshots/${ID}`, snapshot],
  ]);
}
