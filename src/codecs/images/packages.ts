/**
 * Packages that decode images, optional peers. Bundlers do not see their names here, and so do not warn of
 * those that are not installed: runtimes find them in node_modules, and pages in an import map. An
 * application that is bundled gives them by the entries of src/codecs/images/entries.
 */
import {
  CodecError,
  importByName,
  isZarrError,
  type Kernels,
  MissingModule,
  UnsupportedError,
} from "../../core/for-codecs.js";

/** What is imported of a package. */
export interface PackageName {
  /** As npm has it. */
  readonly name: string;
  /** The module of it that is imported. */
  readonly module: string;
  /** The codec that needs it, and the entry of wazarr that has both. */
  readonly codec: string;
  readonly entry: string;
}

/** Imports a module of a package. @throws UnsupportedError that says what to install */
export async function importPackage<Module>(of: PackageName): Promise<Module> {
  const { module } = of;
  try {
    return await importByName(module);
  } catch (cause) {
    throw notLoaded(of, cause);
  }
}

function notLoaded({ name, codec, entry }: PackageName, cause: unknown): UnsupportedError {
  return new UnsupportedError(
    `${codec} is read by the package ${name}: npm install ${name}; a bundled application also needs import codec from "${entry}" and registry.set("${codec}", () => codec)`,
    { codec, cause },
  );
}

/** A decoder that a package makes. After a trap it is made again, because its memory may be damaged. */
export interface Decoder<T> {
  /** Makes it, unless there is one. */
  load(kernels: Kernels): Promise<void>;
  /**
   * Runs `work` on the decoder.
   * @throws UnsupportedError whose cause is a MissingModule, if it has to be made first; CodecError for
   * whatever the package throws
   */
  run<Result>(work: (decoder: T) => Result): Result;
}

/** @param describe what the decoder threw */
export function decoderOf<T>(
  codec: string,
  make: () => Promise<T>,
  describe: (thrown: unknown) => string,
): Decoder<T> {
  let made: { readonly decoder: T } | undefined;
  const load = async (): Promise<void> => {
    try {
      made ??= { decoder: await make() };
    } catch (cause) {
      if (isZarrError(cause)) throw cause;
      throw new UnsupportedError(
        `cannot start the package that reads ${codec}: ${describe(cause)}; check that its .wasm file is where the page looks for it`,
        { codec, cause },
      );
    }
  };
  return {
    load,
    run(work) {
      if (made === undefined) {
        const cause = new MissingModule(load);
        throw new UnsupportedError("the decoder is not loaded yet", { codec, cause });
      }
      try {
        return work(made.decoder);
      } catch (error) {
        if (isZarrError(error)) throw error;
        // C++ exceptions are numbers, and leave everything in order.
        if (typeof error !== "number") made = undefined;
        throw new CodecError(`cannot decode the image: ${describe(error)}`, {
          codec,
          cause: error,
        });
      }
    },
  };
}
