/** The kernels of assembly/filters-encode.ts, loaded before something is written. */
import { lazyKernelModule } from "../kernel-module.js";

export const filterEncoders = lazyKernelModule(
  "filters-encode",
  () => import("../../kernels/modules/filters-encode.generated.js"),
);
