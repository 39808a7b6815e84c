/** What writes gzip and zlib: not loaded before something is to be written. */
import { lazyEncoder } from "../load-for-writing.js";

export const deflateEncoder = lazyEncoder(async () => {
  const module = await import("./encode.js");
  await module.loadDeflate();
  return module;
});
