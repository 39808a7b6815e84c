/** The module every array needs: byte order, strided copies, fill. The export list is the ABI of src/kernels/wasm.ts. */
export function nop(): void {}
