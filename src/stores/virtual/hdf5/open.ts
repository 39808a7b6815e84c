/**
 * HDF5, and NetCDF-4, which is HDF5 with conventions. HDF5 File Format Specification, versions 0 to 3 of the
 * superblock.
 * https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html
 */
import type { VirtualFormat } from "../port.js";
import { Hdf5Group } from "./group.js";
import { Hdf5File } from "./hdf5-file.js";
import { Hdf5Objects } from "./objects.js";

export const hdf5: VirtualFormat = {
  async open(bytes) {
    const file = await Hdf5File.open(bytes);
    const objects = new Hdf5Objects(file);
    return new Hdf5Group(objects, await objects.at(file.root), "/", undefined);
  },
};
