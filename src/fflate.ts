/** What we need of fflate, imported by name: as a namespace, which `import()` of a package is, all 23 kB of it would be downloaded. */
export { deflateSync, unzlibSync } from "fflate";
