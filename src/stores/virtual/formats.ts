/**
 * Which format a file is of: its first bytes say, not its name. The readers are loaded when they are needed.
 */
import { UnsupportedError } from "../../core/for-stores.js";
import type { FileBytes } from "./file-bytes.js";
import type { VirtualFormat } from "./port.js";

interface Known {
  /** Of messages. */
  readonly name: string;
  /** Whether a file that begins with these bytes (128 KiB, or the whole file) is of this format. */
  matches(beginning: Uint8Array): boolean;
  load(): Promise<VirtualFormat>;
}

const FORMATS: readonly Known[] = [
  {
    name: "HDF5",
    matches: (beginning) => hdf5Offset(beginning) !== undefined,
    load: async () => (await import("./hdf5/open.js")).hdf5,
  },
  {
    name: "NetCDF-3",
    // "CDF" and the version: classic, 64-bit offset, 64-bit data.
    matches: (beginning) => ["CDF\x01", "CDF\x02", "CDF\x05"].some((each) => hasText(beginning, 0, each)),
    load: async () => (await import("./netcdf3/open.js")).netcdf3,
  },
  {
    name: "TIFF",
    matches: (beginning) => ["II*\0", "II+\0", "MM\0*", "MM\0+"].some((each) => hasText(beginning, 0, each)),
    load: async () => (await import("./tiff/open.js")).tiff,
  },
  {
    name: "GRIB",
    matches: (beginning) => hasText(beginning, 0, "GRIB"),
    load: async () => (await import("./grib/open.js")).grib,
  },
];

/** The signature is at byte 0, or after a user block of 512 bytes or a power of two times that. */
export function hdf5Offset(beginning: Uint8Array): number | undefined {
  for (let offset = 0; offset + 8 <= beginning.length; offset = Math.max(512, 2 * offset))
    if (hasText(beginning, offset, "\x89HDF\r\n\x1a\n")) return offset;
  return undefined;
}

/** Whether the bytes at `offset` are this text, one byte a character. */
export function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[offset + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** @throws UnsupportedError for a file of no format that is known */
export async function formatOf(file: FileBytes): Promise<VirtualFormat> {
  const found = FORMATS.find(({ matches }) => matches(file.beginning));
  if (found !== undefined) return found.load();
  const bytes = Array.from(file.beginning.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0"));
  const names = FORMATS.map(({ name }) => name).join(", ");
  throw new UnsupportedError(
    `${file.name}: expected a file of ${names}, got one that begins with the bytes ${bytes.join(" ")}`,
  );
}
