/** Builds zip archives record by record, right ones and wrong ones, for the tests of the reader. */
import { deflateSync } from "fflate";
import { CRC32, referenceCrc } from "../../core/codecs/reference-crc.js";

export interface BuiltEntry {
  readonly name: string;
  readonly value: Uint8Array;
  readonly deflate?: boolean;
  readonly flags?: number;
  /** Of the central directory, where it is to differ from the truth. */
  readonly method?: number;
  readonly crc32?: number;
  readonly byteLength?: number;
  readonly compressedLength?: number;
  readonly offset?: number;
  /** Bytes of padding in the local header's extra field. */
  readonly localExtra?: number;
  /** Lengths and offset in a zip64 field. */
  readonly zip64?: boolean;
  readonly localSignature?: number;
  /** Of the local header, where it is to differ from that of the central directory. */
  readonly localName?: string;
}

export interface BuiltEnd {
  readonly comment?: string;
  readonly zip64?: boolean;
  readonly entryCount?: number;
  readonly byteLength?: number;
  readonly offset?: number;
  readonly diskNumber?: number;
  /** Bytes between the central directory and the end record. */
  readonly gap?: number;
}

function numbers(...fields: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(offset, value, true);
    else if (width === 4) view.setUint32(offset, value, true);
    else view.setBigUint64(offset, BigInt(value), true);
    offset += width;
  }
  return bytes;
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

export function buildZip(entries: readonly BuiltEntry[], end: BuiltEnd = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let position = 0;
  const append = (...more: Uint8Array[]) => {
    for (const part of more) position += part.byteLength;
    parts.push(...more);
  };
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name);
    const data = entry.deflate ? deflateSync(entry.value) : entry.value;
    const method = entry.method ?? (entry.deflate ? 8 : 0);
    const crc = entry.crc32 ?? referenceCrc(entry.value, CRC32);
    const byteLength = entry.byteLength ?? entry.value.byteLength;
    const compressedLength = entry.compressedLength ?? data.byteLength;
    const offset = entry.offset ?? position;
    const flags = (entry.flags ?? 0) | 0x800;
    const localExtra = entry.localExtra ?? 0;
    const localName = new TextEncoder().encode(entry.localName ?? entry.name);
    append(
      numbers([4, entry.localSignature ?? 0x04034b50], [2, 20], [2, flags], [2, method], [4, 0], [4, crc]),
      numbers([4, data.byteLength], [4, entry.value.byteLength], [2, localName.byteLength], [2, localExtra]),
      localName,
      new Uint8Array(localExtra),
      data,
    );
    const long = 0xffffffff;
    const field = entry.zip64
      ? concatenate([
          // A field of another kind first, which the reader has to step over.
          numbers([2, 0x5455], [2, 4], [4, 0]),
          numbers([2, 1], [2, 24], [8, byteLength], [8, compressedLength], [8, offset]),
        ])
      : new Uint8Array(0);
    records.push(
      numbers([4, 0x02014b50], [2, 45], [2, 20], [2, flags], [2, method], [4, 0], [4, crc]),
      entry.zip64 ? numbers([4, long], [4, long]) : numbers([4, compressedLength], [4, byteLength]),
      numbers([2, name.byteLength], [2, field.byteLength], [2, 0], [2, 0], [2, 0], [4, 0]),
      numbers([4, entry.zip64 ? long : offset]),
      name,
      field,
    );
  }
  const start = position;
  append(...records);
  const byteLength = end.byteLength ?? position - start;
  const entryCount = end.entryCount ?? entries.length;
  const offset = end.offset ?? start;
  append(new Uint8Array(end.gap ?? 0));
  if (end.zip64) {
    const record = position;
    append(
      numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, entryCount], [8, entryCount]),
      numbers([8, byteLength], [8, offset]),
      numbers([4, 0x07064b50], [4, 0], [8, record], [4, 1]),
    );
  }
  const comment = new TextEncoder().encode(end.comment ?? "");
  const disk = end.diskNumber ?? 0;
  append(
    numbers([4, 0x06054b50], [2, disk], [2, disk]),
    end.zip64
      ? numbers([2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff])
      : numbers([2, entryCount], [2, entryCount], [4, byteLength], [4, offset]),
    numbers([2, comment.byteLength]),
    comment,
  );
  return concatenate(parts);
}
