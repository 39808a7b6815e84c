/** What a store answers: at once or by a promise, and bytes, if it keeps to the contract. */

/** Not by its class, of which another window or context of Node has another. */
export function isPending<T>(answer: T | Promise<T>): answer is Promise<T> {
  return typeof answer === "object" && answer !== null && "then" in answer;
}

/** Whether an answer is bytes: no promise, and nothing that is no value of a store. Of any window, too. */
export function isBytes(answer: object & { readonly BYTES_PER_ELEMENT?: number }): answer is Uint8Array {
  return answer.BYTES_PER_ELEMENT === 1;
}
