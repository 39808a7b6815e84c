/**
 * Named imports let bundlers drop the rest of fflate. `import()` of the whole package would download all 23
 * kB.
 */
export { deflateSync, unzlibSync } from "fflate";
