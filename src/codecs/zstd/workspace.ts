/** Arena bytes that decoding takes besides its output: the literals of a block (`workspaceLength` in assembly/zstd.ts). */
export const DECODE_WORKSPACE = 128 * 1024 + 32;

/** What encoding takes at most, which is more: `workspaceLength` in encode/strategy.ts for 256 KiB and the thorough finder. */
export const CODEC_WORKSPACE = 3 * 1024 * 1024 + 64;
