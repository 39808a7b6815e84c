/** Where pipelines find codecs by name: the registry. Code that it loads gets it by this interface. */
import type { CodecEntry } from "../codec.js";
import type { ZarritaCodecEntry } from "./zarrita-interface.js";

export interface CodecSource {
  /** Undefined for an unknown name. */
  find(name: string): Promise<CodecEntry | ZarritaCodecEntry | undefined>;
  /**
   * @throws UnknownCodecError, InvalidArgumentError if the application registered something that is no codec
   */
  load(name: string): Promise<CodecEntry | ZarritaCodecEntry>;
}
