/**
 * Codecs of bytes that other codecs turn out to need: compressors inside of images, images inside of GRIB.
 * Only a chunk says which, so each is loaded by the first chunk that needs it.
 */
import { UnsupportedError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { MissingModule } from "./missing-modules.js";

export interface LazyCodec {
  /** Loads it now. */
  load(kernels: Kernels): Promise<void>;
  /**
   * The codec for chunks of `spec`, without a configuration.
   * @throws UnsupportedError whose cause is a MissingModule, if the codec is not loaded
   */
  of(spec: ChunkSpec): BytesToBytesCodec;
}

/** @param codec its name, for errors */
export function lazyCodec(codec: string, loadEntry: () => Promise<CodecEntry>): LazyCodec {
  let loaded: CodecEntry | undefined;
  const load = async (kernels: Kernels): Promise<void> => {
    const entry = await loadEntry();
    await entry.load?.(kernels);
    loaded = entry;
  };
  return {
    load,
    of(spec) {
      if (loaded === undefined) {
        const cause = new MissingModule(load);
        throw new UnsupportedError("the decoder is not loaded yet", { codec, cause });
      }
      const made = loaded.fromConfig({}, spec);
      if (made.kind === "bytes_to_bytes") return made;
      throw new UnsupportedError(`expected a bytes-to-bytes codec as ${codec}, got ${made.kind}`, { codec });
    },
  };
}
