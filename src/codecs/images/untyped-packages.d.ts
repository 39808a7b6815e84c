/** What is used of packages of Cornerstone.js, which come without types. */
interface CornerstoneDecoder {
  /** Memory for an image of `length` bytes, until another function is called. */
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8ClampedArray;
  getFrameInfo(): {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: number;
    readonly componentCount: number;
  };
  delete(): void;
}

declare module "@cornerstonejs/codec-openjpeg/decodewasmjs" {
  const make: (options: object) => Promise<{ readonly J2KDecoder: new () => CornerstoneDecoder }>;
  export default make;
}

declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs" {
  const make: (options: object) => Promise<{ readonly JPEGDecoder: new () => CornerstoneDecoder }>;
  export default make;
}
