/** A limit of encoded bytes. A task waits until its bytes fit, in order of arrival. */
export interface ByteBudget {
  /**
   * Runs `task` while holding bytes. Two tasks of any size may run at once: one decodes while the other waits
   * for its bytes.
   */
  hold<T>(byteLength: number, task: () => Promise<T>): Promise<T>;
}

export function createByteBudget(capacity: number): ByteBudget {
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
