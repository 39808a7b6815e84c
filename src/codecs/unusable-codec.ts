/** What is said where a name leads to no codec. */
import { didYouMean, InvalidArgumentError, UnknownCodecError } from "../errors.js";
import { describeGiven } from "../stores/check-store.js";
import { rareCodecs } from "./rare-codecs.js";

/** @param entry what the application's loader gave, if there is one */
export function unusableCodec(
  name: string,
  entry: unknown,
  registry: ReadonlyMap<string, unknown>,
): UnknownCodecError | InvalidArgumentError {
  const own = [name, name.replace(/^numcodecs\./, "")].find((each) => registry.has(each));
  if (own !== undefined) {
    const loader = registry.get(own);
    const got =
      typeof loader === "function" ? `one that gives ${describeGiven(entry)}` : describeGiven(loader);
    return new InvalidArgumentError(
      `registry.set("${own}", loader): expected a function that gives an entry with fromConfig, got ${got}`,
      { codec: name },
    );
  }
  const names = [...registry.keys(), ...rareCodecs.keys()];
  const nearest = didYouMean(name, names);
  return new UnknownCodecError(
    `no codec "${name}" is registered${nearest || ";"} registry.set("${name}", loader) adds it. Registered: ${names.join(", ")}`,
    { codec: name },
  );
}
