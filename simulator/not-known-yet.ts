/** Thrown by a simulated model whose answer needs something that is still being found out. */
export class NotKnownYet extends Error {
  override readonly name = 'NotKnownYet';
  /** Resolves when the same question can be asked again. */
  readonly known: Promise<unknown>;

  constructor(what: string, known: Promise<unknown>) {
    super(`${what} is not known yet`);
    this.known = known;
  }
}

/** Asks again when what was missing is known. `answer` must give the same answer each time. */
export async function onceKnown<Answer>(answer: () => Answer): Promise<Answer> {
  for (;;) {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof NotKnownYet)) throw error;
      await error.known;
    }
  }
}
