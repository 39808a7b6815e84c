/**
 * WebP, lossy and lossless: `imagecodecs_webp`, by the package `@jsquash/webp` (libwebp). Pixels are RGB, or
 * RGBA if the image has transparency or `hasalpha` is true. Animations are refused. In Node the package
 * defines `ImageData` for the whole process.
 * `{"id": "imagecodecs_webp", "level": 80, "lossless": false}`
 */
import {
  type CodecEntry,
  CodecError,
  readChoice,
  readInteger,
  UnsupportedError,
} from "../../core/for-codecs.js";
import { type Emscripten, makeInstance } from "./emscripten.js";
import { type HeaderView, type ImageHeader, imageCodec, viewHeader } from "./image-codec.js";
import { decoderOf, importPackage } from "./packages.js";

/** An instance of the package. */
export interface WebpInstance {
  decode(image: Uint8Array<ArrayBuffer>): { readonly data: Uint8ClampedArray } | null;
}

const WEBP = { codec: "imagecodecs_webp", name: "WebP" };

interface Size {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readSize(view: HeaderView): Size {
  if (!view.starts(0, "RIFF") || !view.starts(8, "WEBP"))
    throw view.damaged(0, "expected a RIFF file of WebP");
  const length = 8 + view.uint32(4);
  if (length !== view.length)
    throw view.damaged(4, `expected ${view.length} bytes, got a length of ${length}`);
  if (view.starts(12, "VP8X")) {
    const flags = view.uint8(20);
    if ((flags & 2) !== 0)
      throw new UnsupportedError("wazarr reads WebP images, got an animation", { codec: WEBP.codec });
    const [width, height] = [24, 27].map((at) => 1 + view.uint16(at) + view.uint8(at + 2) * 65536);
    return { width: width ?? 0, height: height ?? 0, hasAlpha: (flags & 16) !== 0 };
  }
  if (view.starts(12, "VP8L")) {
    const bits = view.uint32(21);
    return {
      ...{ width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) },
      hasAlpha: ((bits >>> 28) & 1) === 1,
    };
  }
  if (!view.starts(12, "VP8 ")) throw view.damaged(12, "expected a chunk of an image");
  // After the tag of the frame and a start code.
  return { width: view.uint16(26) & 0x3fff, height: view.uint16(28) & 0x3fff, hasAlpha: false };
}

function decode(instance: WebpInstance, bytes: Uint8Array, { shape }: ImageHeader): Uint8Array {
  const [height = 0, width = 0, samples = 0] = shape;
  // A copy, because the package takes no memory of WebAssembly.
  const pixels = instance.decode(bytes.slice())?.data;
  if (pixels?.length !== 4 * height * width)
    throw new CodecError("cannot decode the image: its data are damaged", {
      codec: WEBP.codec,
    });
  if (samples === 4) return new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length);
  const elements = new Uint8Array(3 * height * width);
  for (let pixel = 0; pixel < height * width; pixel++)
    elements.set(pixels.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel);
  return elements;
}

/** `imagecodecs_webp`. @param load the package */
export const webpCodec = (load: () => Promise<Emscripten<WebpInstance>>): CodecEntry =>
  imageCodec<WebpInstance, ImageHeader>({
    ...WEBP,
    members: ["level", "lossless", "method", "index", "hasalpha", "numthreads", "delay"],
    decoder: decoderOf(
      WEBP.codec,
      async () => (await makeInstance(await load())).instance,
      (thrown) => (thrown instanceof Error ? thrown.message : "no reason is given"),
    ),
    prepare(configuration) {
      const { hasalpha: alphaOption = null, index = 0 } = configuration;
      const alpha =
        alphaOption === null
          ? undefined
          : readChoice(WEBP.codec, { hasalpha: alphaOption }, "hasalpha", [false, true]);
      readInteger(WEBP.codec, index === null ? {} : { index }, "index", {
        minimum: 0,
        maximum: 0,
        absent: 0,
      });
      return {
        readHeader(bytes) {
          const { width, height, hasAlpha } = readSize(viewHeader(bytes, WEBP, true));
          return { shape: [height, width, (alpha ?? hasAlpha) ? 4 : 3], dataType: "uint8" };
        },
        decode,
      };
    },
  });

const MODULE = "@jsquash/webp/codec/dec/webp_dec.js";

/** For Node, where the module looks for its WebAssembly as in a page. */
export const WEBP_FILE = "@jsquash/webp/codec/dec/webp_dec.wasm";

export const webp: CodecEntry = webpCodec(async () => {
  const { default: make } = await importPackage<{
    readonly default: Emscripten<WebpInstance>["make"];
  }>({ name: "@jsquash/webp", module: MODULE, codec: WEBP.codec, entry: "wazarr/images/webp" });
  return { make, file: WEBP_FILE };
});
