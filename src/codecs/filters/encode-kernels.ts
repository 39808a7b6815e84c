/** The kernels of assembly/filters-encode.ts, loaded before something is written. */

import filtersEncodeModule from "../../kernels/modules/filters-encode.generated.js";
import { lazyKernelModule } from "../kernel-module.js";

export const filterEncoders = lazyKernelModule("filters-encode", filtersEncodeModule);
