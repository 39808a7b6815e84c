/**
 * What is used of the handles of the File System Standard. `FileSystemDirectoryHandle` is one of these, in
 * every version of TypeScript's types for browsers.
 */

/** A folder. */
export interface DirectoryHandle {
  readonly kind: "directory";
  readonly name: string;
  getDirectoryHandle(name: string, options?: { readonly create?: boolean }): Promise<DirectoryHandle>;
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<FileHandle>;
  removeEntry(name: string): Promise<void>;
  /** Optional: some versions of TypeScript's types lack it. */
  values?(): AsyncIterable<{ readonly kind: "file" | "directory"; readonly name: string }>;
}

/** A file in a folder. */
export interface FileHandle {
  readonly kind: "file";
  getFile(): Promise<FileSnapshot>;
  /** Optional: Safari has it since version 26. */
  createWritable?(): Promise<FileWriter>;
}

/** A file as it was when it was asked for: a `File`. */
export interface FileSnapshot {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Writes a copy of a file, which replaces the file with `close`. */
export interface FileWriter {
  write(data: ArrayBuffer): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}
