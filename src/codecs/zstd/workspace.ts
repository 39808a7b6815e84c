/** Arena bytes that decoding takes besides its output: the literals of a block (`workspaceLength` in assembly/zstd.ts). */
export const DECODE_WORKSPACE = 128 * 1024 + 32;

/** What encoding at a level takes at most, which is more: `workspaceLength` in encode/encode.ts for what fills the table. */
export function codecWorkspace(level: number): number {
  return (level < 8 ? 2.5 : level < 10 ? 4.5 : 8.5) * 2 ** 20 + 64;
}
