/** The command line's own errors, and what `--help` prints. */

/** The command line itself is wrong: exit status 2. */
export class UsageError extends Error {}

export const USAGE = `wazarr: Zarr v2, v3 and the 2020 draft on the command line

  wazarr info   STORE [PATH] [--json]            metadata of an array or a group; dimensions, coordinates and variables of a data set
  wazarr tree   STORE [PATH] [--json]            what is in a hierarchy
  wazarr get    STORE [PATH] [--select "0:10,::2,5"] --out FILE.npy | FILE.json | -
                                                 elements of an array; - prints JSON. --select also takes labels of named
                                                 dimensions: "time=2026-08-01,lat=40:60", both ends included
  wazarr put    FILE.npy STORE [PATH] [layout options]
                                                 an array from an npy file
  wazarr copy   SRC[::PATH] DST[::PATH] [layout options] [--resume] [--max-memory 500MB] [--dry-run]
                                                 an array or a whole hierarchy; converts format, chunks, codecs. --resume goes on
                                                 with a copy that was interrupted, --dry-run prints what is going to be done;
                                                 both are for targets that are directories
  wazarr verify STORE [PATH] [--against DST[::PATH]] [--clean]
                                                 decodes every chunk, checks every checksum, or compares every element
                                                 with another array or hierarchy; says how many chunks are stored; --clean removes what
                                                 writers that were killed left in a directory; nobody may be writing there
  wazarr serve  STORE[::PATH] [--port N] [--host ADDRESS] [--open]
                                                 serves the values of a store to browsers, with a viewer; --open shows it. Read only,
                                                 at this machine's own address unless --host says otherwise

  wazarr --help | --version

STORE is a directory, a .zip, a reference document of kerchunk (.json), an Icechunk repository (a directory, or icechunk:URL), or an
http(s) URL. PATH is the path of a node in it, "/" unless given.

layout options
  --zarr-format 2|3|draft
  --chunks 64,64             chunk shape
  --shards 256,256           shard shape; --chunks are then the chunks inside
  --codecs zstd:5            names with commas between, with their level: shuffle,zstd:5; put: zstd unless given, [] for none
  --codecs JSON              as the format has it, with every setting. v3: the list of codecs; v2: {"filters": [...], "compressor": {...}};
                             draft: the compressor object
  --fill-value JSON          as the format has it: 0, "NaN", null
  --order C|F                memory layout of a chunk
  --endian little|big        byte order of stored elements
  --dimension-names y,x
  --attributes JSON
  --overwrite                replace what is there
  --concurrency N            chunks under way at once
  --workers N                of copy: decode and encode on N other cores
  --max-memory SIZE          of copy: what it may take beyond the program itself: bytes, or 500MB, 2GiB; 256MiB unless given
  --quiet                    no progress on the terminal, and no notes

Exit status: 0 done; 1 bad data, one line per problem on standard error; 2 wrong usage.
`;
