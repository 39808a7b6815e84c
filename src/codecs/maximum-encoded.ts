/** No encoder in use expands its input by more than this; a decoder that yields more is refused. Exact beyond 2^31, unlike shifts. */
export const maximumEncoded = (byteLength: number): number => byteLength + Math.floor(byteLength / 8) + 65536;
