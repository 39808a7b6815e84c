/** Room for encoded bytes: who holds some waits until they fit in, in the order they came. */
export interface Room {
  /** Any two may hold some at the same time, however much: while one decodes the other waits for its bytes. */
  hold<T>(byteLength: number, task: () => Promise<T>): Promise<T>;
}

export function createRoom(capacity: number): Room {
  let holders = 0;
  let held = 0;
  const waiting: { readonly byteLength: number; readonly enter: () => void }[] = [];

  function admit(): void {
    for (
      let next = waiting[0];
      next && (holders < 2 || held + next.byteLength <= capacity);
      next = waiting[0]
    ) {
      waiting.shift();
      holders++;
      held += next.byteLength;
      next.enter();
    }
  }

  return {
    async hold<T>(byteLength: number, task: () => Promise<T>): Promise<T> {
      await new Promise<void>((enter) => {
        waiting.push({ byteLength, enter });
        admit();
      });
      try {
        return await task();
      } finally {
        holders--;
        held -= byteLength;
        admit();
      }
    },
  };
}
