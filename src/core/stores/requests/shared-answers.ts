/** One answer for all callers who ask for the same at the same time; shared-requests.ts has signals, too. */

/** Answers under way by name. */
export class SharedAnswers<Answer> {
  readonly #underWay = new Map<string, Promise<Answer>>();

  /** Waits for the answer of this name, or asks for it. */
  async ask(name: string, send: () => Promise<Answer>): Promise<Answer> {
    const known = this.#underWay.get(name);
    if (known !== undefined) return known;
    const answer = send();
    this.#underWay.set(name, answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(name);
    }
  }
}
