/** Folders in memory with the handles of the File System Standard, for runtimes that have none. */
import type {
  DirectoryHandle,
  FileHandle,
  FileSnapshot,
} from "../../../src/stores/browser/directory-handle.js";

type Create = { readonly create?: boolean };

const refusal = (name: string): DOMException => new DOMException(`It fails with ${name}.`, name);

/** The names that the standard refuses. */
function checkName(name: string): void {
  if (name === "" || name === "." || name === ".." || name.includes("/"))
    throw new TypeError("Name is not allowed.");
}

/** Time goes on with each write. */
let now = 0;

export class MemoryFile implements FileHandle {
  readonly kind = "file";
  readonly name: string;
  #content = { bytes: new Uint8Array(0), lastModified: ++now };
  /** Told of each step of writes: a test may fail it, or look at the folder. */
  onWrite: (step: "open" | "write" | "close") => void | Promise<void> = () => {};
  /** Called before bytes are read. */
  onRead: () => void | Promise<void> = () => {};
  isRemoved = false;

  constructor(name: string) {
    this.name = name;
  }

  replace(bytes: Uint8Array): void {
    this.#content = { bytes: new Uint8Array(bytes), lastModified: ++now };
  }

  async getFile(): Promise<FileSnapshot> {
    if (this.isRemoved) throw refusal("NotFoundError");
    const content = this.#content;
    const read = async (start: number, end: number): Promise<ArrayBuffer> => {
      await this.onRead();
      if (content !== this.#content || this.isRemoved) throw refusal("NotReadableError");
      return content.bytes.slice(start, end).buffer;
    };
    return {
      size: content.bytes.length,
      lastModified: content.lastModified,
      slice: (start, end) => ({ arrayBuffer: () => read(start, end) }),
    };
  }

  async createWritable() {
    await this.onWrite("open");
    let written = new Uint8Array(0);
    return {
      write: async (data: ArrayBuffer) => {
        if (!(data instanceof ArrayBuffer)) throw new TypeError("The memory is shared.");
        written = new Uint8Array(data.slice(0));
        await this.onWrite("write");
      },
      close: async () => {
        await this.onWrite("close");
        this.replace(written);
      },
      abort: async () => {},
    };
  }
}

export class MemoryFolder implements DirectoryHandle {
  readonly kind = "directory";
  readonly name: string;
  readonly entries = new Map<string, MemoryFile | MemoryFolder>();

  constructor(name = "") {
    this.name = name;
  }

  async getDirectoryHandle(name: string, options: Create = {}): Promise<MemoryFolder> {
    const entry = this.#entry(name, options, () => new MemoryFolder(name));
    if (entry instanceof MemoryFolder) return entry;
    throw refusal("TypeMismatchError");
  }

  async getFileHandle(name: string, options: Create = {}): Promise<MemoryFile> {
    const entry = this.#entry(name, options, () => new MemoryFile(name));
    if (entry instanceof MemoryFile) return entry;
    throw refusal("TypeMismatchError");
  }

  async removeEntry(name: string): Promise<void> {
    const entry = this.#entry(name, {}, () => new MemoryFolder(name));
    if (entry instanceof MemoryFolder && entry.entries.size > 0) throw refusal("InvalidModificationError");
    if (entry instanceof MemoryFile) entry.isRemoved = true;
    this.entries.delete(name);
  }

  async *values() {
    yield* [...this.entries.values()];
  }

  #entry(name: string, { create = false }: Create, make: () => MemoryFile | MemoryFolder) {
    checkName(name);
    const entry = this.entries.get(name) ?? (create ? make() : undefined);
    if (entry === undefined) throw refusal("NotFoundError");
    this.entries.set(name, entry);
    return entry;
  }
}
