/** What writes blosc, lz4 and shuffle: not loaded before something is to be written. */
import { lazyEncoder } from "../load-for-writing.js";

export const bloscEncoder = lazyEncoder(async (kernels) => {
  const module = await import("./encoders.js");
  await module.loadBloscEncodeKernels(kernels);
  return module;
});
