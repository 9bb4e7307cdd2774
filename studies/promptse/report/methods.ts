/** The names of the two methods in a report. */
import type { PromptseBoardRow } from '../results/board.ts';

export type Method = PromptseBoardRow['method'];

export const methods = ['full', 'light'] as const satisfies readonly Method[];
export const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;
export const scoreName = { full: 'SoftExec', light: 'Pass rate' } as const;

/** Rows of one method that have an AUC-E. */
export const scoredRows = (board: readonly PromptseBoardRow[], method: Method): PromptseBoardRow[] =>
  board.filter((row) => row.method === method && row.aucE !== null);
