import { UnsupportedError } from "../../errors.js";
import type { VirtualFormat } from "../port.js";

export const netcdf3: VirtualFormat = {
  async open() {
    throw new UnsupportedError("NetCDF-3 is not read yet");
  },
};
