/**
 * A film of one track as a WebM file: EBML (RFC 8794) with the elements of Matroska (RFC 9559) that players need.
 * Libraries for it bring 8 to 40 kB; this is all that a film without sound takes.
 */

/** One frame, as a VideoEncoder gave it. */
export interface Frame {
  readonly data: Uint8Array;
  readonly isKey: boolean;
  /** Milliseconds from the beginning. */
  readonly time: number;
}

export interface FilmOptions {
  readonly codec: "V_VP8" | "V_VP9";
  readonly width: number;
  readonly height: number;
  /** Milliseconds of the whole film. */
  readonly duration: number;
}

const ID = {
  ebml: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  maxIdLength: 0x42f2,
  maxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

/** A video track. */
const VIDEO = 1;
/** Timestamps of frames count from that of their cluster, in 16 bits with a sign. */
const LONGEST_CLUSTER = 32_767;

/** @throws RangeError for frames of which the first is no key frame */
export function webmOf(frames: readonly Frame[], options: FilmOptions): Uint8Array<ArrayBuffer> {
  const clusters = clustersOf(frames);
  const head = [infoOf(options), trackOf(options)];
  const bodies = clusters.map(clusterBytes);
  // The positions take eight bytes whatever they are, so the length of the cues is known before them.
  const before = joined([...head, cuesOf(clusters, () => 0)]).length;
  let position = before;
  const positions = bodies.map(({ length }) => {
    const at = position;
    position += length;
    return at;
  });
  const cues = cuesOf(clusters, (i) => positions[i] ?? 0);
  const segment = element(ID.segment, joined([...head, cues, ...bodies]));
  return joined([headerBytes(), segment]);
}

/** A cluster begins with each key frame. */
function clustersOf(frames: readonly Frame[]): readonly (readonly Frame[])[] {
  const clusters: Frame[][] = [];
  for (const frame of frames) {
    const last = clusters.at(-1);
    const isNear = frame.time - (last?.[0]?.time ?? 0) <= LONGEST_CLUSTER;
    if (frame.isKey) clusters.push([frame]);
    else if (last && isNear) last.push(frame);
    else throw new RangeError("a film begins with a key frame, and has one at least every 32 seconds");
  }
  return clusters;
}

const headerBytes = (): Uint8Array<ArrayBuffer> =>
  element(
    ID.ebml,
    joined([
      uint(ID.version, 1),
      uint(ID.readVersion, 1),
      uint(ID.maxIdLength, 4),
      uint(ID.maxSizeLength, 8),
      text(ID.docType, "webm"),
      uint(ID.docTypeVersion, 4),
      uint(ID.docTypeReadVersion, 2),
    ]),
  );

function infoOf({ duration }: FilmOptions): Uint8Array<ArrayBuffer> {
  const milliseconds = new Uint8Array(8);
  new DataView(milliseconds.buffer).setFloat64(0, duration);
  return element(
    ID.info,
    joined([
      // Nanoseconds of a unit of time: times are in milliseconds.
      uint(ID.timestampScale, 1_000_000),
      element(ID.duration, milliseconds),
      text(ID.muxingApp, "wazarr"),
      text(ID.writingApp, "wazarr viewer"),
    ]),
  );
}

function trackOf({ codec, width, height }: FilmOptions): Uint8Array<ArrayBuffer> {
  const video = joined([uint(ID.pixelWidth, width), uint(ID.pixelHeight, height)]);
  const entry = joined([
    uint(ID.trackNumber, 1),
    uint(ID.trackUid, 1),
    uint(ID.trackType, VIDEO),
    text(ID.codecId, codec),
    element(ID.video, video),
  ]);
  return element(ID.tracks, element(ID.trackEntry, entry));
}

/** Where the clusters are, so that players can jump. @param positionOf from the first element of the segment */
function cuesOf(
  clusters: readonly (readonly Frame[])[],
  positionOf: (index: number) => number,
): Uint8Array<ArrayBuffer> {
  const points = clusters.map(([first], i) => {
    const position = new Uint8Array(8);
    new DataView(position.buffer).setBigUint64(0, BigInt(positionOf(i)));
    const places = joined([uint(ID.cueTrack, 1), element(ID.cueClusterPosition, position)]);
    const time = uint(ID.cueTime, Math.round(first?.time ?? 0));
    return element(ID.cuePoint, joined([time, element(ID.cueTrackPositions, places)]));
  });
  return element(ID.cues, joined(points));
}

function clusterBytes(frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const begin = Math.round(frames[0]?.time ?? 0);
  const blocks = frames.map(({ data, isKey, time }) => {
    // Track 1 as a number of variable length, the time, and flags.
    const head = Uint8Array.of(0x81, 0, 0, isKey ? 0x80 : 0);
    new DataView(head.buffer).setInt16(1, Math.round(time) - begin);
    return element(ID.simpleBlock, joined([head, data]));
  });
  return element(ID.cluster, joined([uint(ID.timestamp, begin), ...blocks]));
}

const element = (id: number, content: Uint8Array): Uint8Array<ArrayBuffer> =>
  joined([bytesOf(id), sizeOf(content.length), content]);

const uint = (id: number, value: number): Uint8Array<ArrayBuffer> => element(id, bytesOf(value));

const text = (id: number, value: string): Uint8Array<ArrayBuffer> =>
  element(id, new TextEncoder().encode(value));

/** As few bytes as hold a number, the largest first; one for 0. */
function bytesOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

/** Always in eight bytes, the first of which says so. */
function sizeOf(length: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length));
  bytes[0] = 0x01;
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
