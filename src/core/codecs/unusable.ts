/** The error for a name that leads to no codec. Loaded when there is one to throw. */
import { didYouMean, InvalidArgumentError, UnknownCodecError } from "../../base/errors.js";
import { describeGiven } from "../stores/check-store.js";
import { givenLoader, registry, withoutPrefix } from "./registry.js";

/**
 * The error for an unknown or malformed codec.
 * @param entry result of the application's loader, if it registered one
 */
export function unusableCodec(name: string, entry: unknown): UnknownCodecError | InvalidArgumentError {
  if (registry.has(name)) {
    const own = registry.has(withoutPrefix(name)) ? withoutPrefix(name) : name;
    const loader: unknown = givenLoader(name);
    const got =
      typeof loader === "function" ? `one that gives ${describeGiven(entry)}` : describeGiven(loader);
    return new InvalidArgumentError(
      `registry.set("${own}", loader): expected a function that gives an entry with fromConfig, got ${got}`,
      { codec: name },
    );
  }
  const names = [...registry.keys()];
  const short = withoutPrefix(name);
  const prefix = name.slice(0, -short.length);
  // Names of imagecodecs come from programs, which do not misspell: one that is near is another format.
  const isOfProgram = short.startsWith("imagecodecs_");
  const nearest = isOfProgram ? "" : didYouMean(short, names.map(withoutPrefix), prefix);
  return new UnknownCodecError(
    `Unknown codec: ${name}${nearest || ";"} registry.set("${name}", loader) adds it, or convert the array with Python. Registered: ${names.join(", ")}`,
    { codec: name },
  );
}
