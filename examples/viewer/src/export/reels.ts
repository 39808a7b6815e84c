/** What becomes of the pictures of a film: a WebM file, or PNG files in a zip. */
import { Zip, ZipPassThrough } from "fflate";
import { type Frame, webmOf } from "./webm.js";

/** Takes one picture after the other. */
export interface Reel {
  readonly ending: "webm" | "zip";
  add(picture: HTMLCanvasElement): Promise<void>;
  /** @throws Error where a picture could not be encoded */
  finish(): Promise<Blob>;
  /** Frees what it holds; `finish` is not called. */
  drop(): void;
}

/** A key frame at least so often: players jump to these. */
const KEY_EVERY = 30;
/** Bits of a pixel: pictures of data have sharp edges. */
const BITS = 0.25;
/** Pictures that wait to be encoded. */
const WAITING = 4;

/** What browsers encode, the better one first. */
const CODECS = [
  { encoder: "vp09.00.41.08", track: "V_VP9" },
  { encoder: "vp8", track: "V_VP8" },
] as const;

/**
 * Undefined where the browser has no WebCodecs, or encodes neither VP9 nor VP8.
 * @param rate pictures of a second
 */
export async function filmReel(
  size: readonly [width: number, height: number],
  rate: number,
): Promise<Reel | undefined> {
  if (typeof VideoEncoder === "undefined") return undefined;
  // Encoders take even sizes.
  const [width = 0, height = 0] = size.map((side) => Math.max(2, side - (side % 2)));
  const bitrate = Math.round(width * height * rate * BITS);
  for (const { encoder, track } of CODECS) {
    const config = { codec: encoder, width, height, bitrate, framerate: rate };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return encodedReel(config, track, rate);
  }
  return undefined;
}

function encodedReel(config: VideoEncoderConfig, codec: "V_VP8" | "V_VP9", rate: number): Reel {
  const frames: Frame[] = [];
  let failure: DOMException | undefined;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, isKey: chunk.type === "key", time: chunk.timestamp / 1000 });
    },
    error(error) {
      failure = error;
    },
  });
  encoder.configure(config);
  let count = 0;
  const { width, height } = config;
  return {
    ending: "webm",
    async add(picture) {
      if (failure) throw failure;
      const timestamp = Math.round((count * 1e6) / rate);
      const frame = new VideoFrame(picture, {
        timestamp,
        duration: Math.round(1e6 / rate),
        visibleRect: { x: 0, y: 0, width, height },
      });
      encoder.encode(frame, { keyFrame: count % KEY_EVERY === 0 });
      frame.close();
      count++;
      while (encoder.encodeQueueSize > WAITING && !failure)
        await new Promise((resolve) => encoder.addEventListener("dequeue", resolve, { once: true }));
    },
    async finish() {
      await encoder.flush();
      encoder.close();
      if (failure) throw failure;
      const film = webmOf(frames, { codec, width, height, duration: (1000 * count) / rate });
      return new Blob([film], { type: "video/webm" });
    },
    drop() {
      if (encoder.state !== "closed") encoder.close();
    },
  };
}

/** @param most pictures that are added at most */
export function pictureReel(most: number): Reel {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(new Uint8Array(part));
  });
  let count = 0;
  return {
    ending: "zip",
    async add(picture) {
      const png = await pngOf(picture);
      // PNG files are compressed.
      const file = new ZipPassThrough(`${String(count).padStart(String(most - 1).length, "0")}.png`);
      zip.add(file);
      file.push(new Uint8Array(await png.arrayBuffer()), true);
      count++;
    },
    async finish() {
      zip.end();
      return new Blob(parts, { type: "application/zip" });
    },
    drop: () => zip.terminate(),
  };
}

/** @throws Error for a picture that is too large */
export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob
        ? resolve(blob)
        : reject(new Error("the picture is too large for a PNG file: make the window smaller")),
    ),
  );
}
