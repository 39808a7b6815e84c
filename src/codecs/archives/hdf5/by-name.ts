/** Codecs of HDF5's filters, by the names of their files. */
import { bitshuffle } from "./bitshuffle.js";
import { lz4h5 } from "./lz4.js";
import { lzf } from "./lzf.js";
import { nbit } from "./nbit.js";
import { scaleOffset } from "./scale-offset.js";
import { szip } from "./szip.js";

export const hdf5Codecs = { bitshuffle, lz4h5, lzf, nbit, scaleOffset, szip };
