/** WebM files, as Chromium plays them. */
import { chromium } from "playwright";
import { expect, test } from "vitest";
import { webmOf } from "../../examples/viewer/src/export/webm.js";
import { chromiumLaunchOptions } from "../setup/chromium.js";

const frame = (time: number, isKey: boolean, length = 3) => ({
  data: new Uint8Array(length).fill(7),
  isKey,
  time,
});
const size = { codec: "V_VP9", width: 64, height: 48, duration: 300 } as const;

/** Elements of EBML, whose sizes are of eight bytes here: [id, offset of the content, length]. */
function elementsOf(
  bytes: Uint8Array,
  from: number,
  end: number,
): [id: string, at: number, length: number][] {
  const found: [string, number, number][] = [];
  for (let at = from; at < end; ) {
    const idLength = Math.clz32(bytes[at] ?? 0) - 23;
    const id = Buffer.from(bytes.subarray(at, at + idLength)).toString("hex");
    const length = Number(new DataView(bytes.buffer).getBigUint64(at + idLength) & 0xffffffffffffffn);
    found.push([id, at + idLength + 8, length]);
    at += idLength + 8 + length;
  }
  return found;
}

test("clusters begin with key frames, and the cues say where they are", () => {
  const film = webmOf([frame(0, true), frame(100, false), frame(200, true, 9)], size);
  const [head, segment] = elementsOf(film, 0, film.length);
  expect([head?.[0], segment?.[0]]).toEqual(["1a45dfa3", "18538067"]);
  const [, at = 0, length = 0] = segment ?? [];
  const parts = elementsOf(film, at, at + length);
  expect(parts.map(([id]) => id)).toEqual(["1549a966", "1654ae6b", "1c53bb6b", "1f43b675", "1f43b675"]);
  const [, cues = 0, cuesLength = 0] = parts[2] ?? [];
  const places = elementsOf(film, cues, cues + cuesLength).map(([, point, pointLength]) => {
    const [, [, track = 0, trackLength = 0] = []] = elementsOf(film, point, point + pointLength);
    const [, [, position = 0] = []] = elementsOf(film, track, track + trackLength);
    return at + Number(new DataView(film.buffer).getBigUint64(position));
  });
  // Ids of clusters have four bytes, and their sizes eight.
  expect(places).toEqual(parts.slice(3).map(([, content]) => content - 12));
});

test("a film without a key frame at its beginning is refused", () => {
  expect(() => webmOf([frame(0, false)], size)).toThrow("begins with a key frame");
});

test.skipIf(chromiumLaunchOptions() === undefined)("Chromium plays what it has encoded", async () => {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const page = await browser.newPage();
    // WebCodecs are for pages of a safe origin.
    await page.route("http://localhost/film", (route) =>
      route.fulfill({ contentType: "text/html", body: "" }),
    );
    await page.goto("http://localhost/film");
    const chunks = await page.evaluate(async () => {
      const found: { data: number[]; isKey: boolean; time: number }[] = [];
      const encoder = new VideoEncoder({
        output(chunk) {
          const data = new Uint8Array(chunk.byteLength);
          chunk.copyTo(data);
          found.push({ data: [...data], isKey: chunk.type === "key", time: chunk.timestamp / 1000 });
        },
        error(error) {
          throw error;
        },
      });
      encoder.configure({ codec: "vp8", width: 64, height: 48 });
      const canvas = new OffscreenCanvas(64, 48);
      canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
      for (let i = 0; i < 5; i++) {
        const picture = new VideoFrame(canvas, { timestamp: i * 100_000 });
        encoder.encode(picture, { keyFrame: i === 0 });
        picture.close();
      }
      await encoder.flush();
      return found;
    });
    const frames = chunks.map((chunk) => ({ ...chunk, data: Uint8Array.from(chunk.data) }));
    const film = webmOf(frames, { ...size, codec: "V_VP8", duration: 500 });
    const played = await page.evaluate(
      async (bytes) => {
        const video = document.createElement("video");
        video.src = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: "video/webm" }));
        await new Promise((resolve, reject) => {
          video.onloadeddata = resolve;
          video.onerror = () => reject(new Error(video.error?.message));
        });
        video.currentTime = 0.45;
        await new Promise((resolve) => {
          video.onseeked = resolve;
        });
        return [video.videoWidth, video.videoHeight, video.duration, video.currentTime];
      },
      [...film],
    );
    expect(played).toEqual([64, 48, 0.5, 0.45]);
  } finally {
    await browser.close();
  }
});
