/**
 * Calls as JavaScript would, with arguments that the types refuse already; resolves to what it rejected with.
 */
export async function rejection(
  call: (...args: never[]) => Promise<unknown>,
  args: readonly unknown[],
): Promise<unknown> {
  try {
    await Reflect.apply(call, undefined, args);
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}
