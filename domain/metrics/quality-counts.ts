/** RobuNFR's counts for one solution: code smells, unreadability, exception handling; used per ten lines of code. */
import type { Measures, PylintMessage } from '../../schemas/measures.ts';

export interface QualityCounts {
  /** Pylint's refactoring (R) messages. */
  readonly codeSmells: number;
  /** Pylint's convention (C) messages. */
  readonly unreadability: number;
  /** `except` handlers and `raise` statements. */
  readonly exceptionStatements: number;
  readonly loc: number;
}

/** Null if the program could not be measured: `measures.reason` says why. */
export function qualityCounts({ reason, messages, handlers, raises, loc }: Measures): QualityCounts | null {
  if (reason !== null || messages === null || handlers === null || raises === null) return null;
  const of = (category: PylintMessage['category']) =>
    messages.filter((message) => message.category === category).length;
  return { codeSmells: of('refactor'), unreadability: of('convention'), exceptionStatements: handlers + raises, loc };
}
