/**
 * Tracks the suites that a zygote knows. It is sent a suite's cases once, and again after it dropped them to make room.
 */
import type { SuiteInUse } from './zygote-suites.ts';

/**
 * Limits of a zygote's memory of suites, so that a study that returns to a task need not send it again: number of
 * suites, and characters of their cases.
 */
const suitesKept = 1_000;
const charactersKept = 16 * 1024 * 1024;

export interface SentSuites {
  /**
   * Records a use of the suite. Null if the zygote knows it; otherwise send the suite, with the returned ids of suites
   * that the zygote must drop.
   */
  use(suite: SuiteInUse): readonly number[] | null;
}

export function createSentSuites(): SentSuites {
  /** Characters of each suite's cases, least recently used first. */
  const known = new Map<number, number>();
  let characters = 0;

  /** Ids of suites to drop, least recently used first; never the two that a program may be run on. */
  function drop(): number[] {
    const ids: number[] = [];
    for (const [id, size] of known) {
      if (known.size <= 2 || (known.size <= suitesKept && characters <= charactersKept)) break;
      known.delete(id);
      characters -= size;
      ids.push(id);
    }
    return ids;
  }

  return {
    use(suite) {
      const isNew = !known.delete(suite.id);
      known.set(suite.id, suite.characters);
      if (!isNew) return null;
      characters += suite.characters;
      return drop();
    },
  };
}
