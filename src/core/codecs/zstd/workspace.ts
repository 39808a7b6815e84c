/**
 * Arena bytes that decoding needs besides its output: the literals of a block (`workspaceLength` in
 * assembly/zstd.ts).
 */
export const DECODE_WORKSPACE = 128 * 1024 + 32;

/**
 * Most arena bytes for encoding at a level, which needs more: `workspaceLength` in encode/encode.ts for
 * content that fills the table.
 */
export function codecWorkspace(level: number): number {
  return (level < 8 ? 2.5 : level < 10 ? 4.5 : 8.5) * 2 ** 20 + 64;
}
