/** The errors for names that lead to no codec. Loaded when there is one to throw. */
import { describeGiven, didYouMean, InvalidArgumentError, UnknownCodecError } from "../../../base/errors.js";
import { adviceFor } from "./absent-codecs.js";
import { withoutPrefix } from "./codec-names.js";

/**
 * The error for a codec that is malformed.
 * @param registered the name that it was registered by
 * @param loader what the application registered, and `entry` what that gave
 */
export function unusableCodec(
  name: string,
  registered: string,
  loader: unknown,
  entry: unknown,
): InvalidArgumentError {
  const got = typeof loader === "function" ? `one that gives ${describeGiven(entry)}` : describeGiven(loader);
  return new InvalidArgumentError(
    `registry.set("${registered}", loader): expected a function that gives an entry with fromConfig, got ${got}`,
    { codec: name },
  );
}

/** The error for a name that is not among `names`, those that are registered. */
export function unregisteredCodec(name: string, names: readonly string[]): UnknownCodecError {
  const short = withoutPrefix(name);
  const advice = adviceFor(short);
  if (advice !== undefined)
    return new UnknownCodecError(`Unknown codec: ${name}; ${advice}`, { codec: name });
  const prefix = name.slice(0, -short.length);
  // Names of imagecodecs come from programs, which do not misspell: one that is near is another format.
  const isOfProgram = short.startsWith("imagecodecs_");
  const nearest = isOfProgram ? "" : didYouMean(short, names.map(withoutPrefix), prefix);
  return new UnknownCodecError(
    `Unknown codec: ${name}${nearest || ";"} registry.set("${name}", loader) adds it, or convert the array with Python. Registered: ${names.join(", ")}`,
    { codec: name },
  );
}
