/** `numcodecs.bitround` and v2's `bitround`: as bitround.ts says, and `keepbits` may be 0. `{"id": "bitround", "keepbits": 10}` */
import { bitroundEntry } from "./bitround.js";

export default bitroundEntry(0);
