// Numbers that are stored in one type and used in another: unpacked (CF 8.1), scaled for a picture, counted.
// Called from src/kernels/packed.ts, whose fallback gives identical bits. The export list is the ABI; n is in
// elements.
export * from "./packed-unpack";
export * from "./packed-narrow";
export * from "./packed-statistics";
