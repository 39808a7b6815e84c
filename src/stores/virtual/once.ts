/** Does the work when it is first wanted, and again after a failure. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= work().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
