/** The families that are always loaded: the types with a typed array. */
import type { DataTypeFamily } from "./data-type.js";
import { singleFamily } from "./family.js";
import { float32, float64 } from "./float.js";
import { int8, int16, int32, int64, uint8, uint16, uint32, uint64 } from "./integer.js";

const types = [int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64] as const;

export const plainFamilies: readonly DataTypeFamily[] = types.map((type) => singleFamily(type));
