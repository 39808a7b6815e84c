/** The rarer built-in families, loaded on demand by registry.ts. */
import type { DataTypeFamily } from "./data-type.js";

export const extraFamilies: readonly DataTypeFamily[] = [];
