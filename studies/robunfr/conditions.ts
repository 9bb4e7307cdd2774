/**
 * The conditions of a study for each task: Function-Only in repetitions, and each phrasing of each dimension
 * in each of its workflows.
 */
import type { Dimension } from './dimensions.ts';
import type { WorkflowName } from './prompt-program.ts';

export const robunfrKinds = ['robunfr-prompts', 'robunfr-regression', 'robunfr-workflows'] as const;
export type RobunfrKind = (typeof robunfrKinds)[number];

export interface Condition {
  readonly workflow: WorkflowName;
  /**
   * Name in the cell key: `original` for Function-Only, else dimension and phrasing number from 1, such as `design-01`.
   */
  readonly variant: string;
  /** Null for Function-Only. */
  readonly dimension: string | null;
  readonly phrasing: string | null;
  /**
   * Number of a Function-Only answer, from 0: this answer for Function-Only, the one to improve for NFR-Enhanced.
   */
  readonly repetition: number;
}

/** RQ1 and RQ2 compare phrasings and versions under NFR-Integrated; RQ3 compares it with NFR-Enhanced. */
const workflowsOf: Readonly<Record<RobunfrKind, readonly WorkflowName[]>> = {
  'robunfr-prompts': ['nfr-integrated'],
  'robunfr-regression': ['nfr-integrated'],
  'robunfr-workflows': ['nfr-integrated', 'nfr-enhanced'],
};

/**
 * Function-Only first, then by workflow, dimension and phrasing.
 * @param repetitions of Function-Only: in the paper as many as phrasings. Phrasing i improves repetition i; with fewer
 *   repetitions, numbering starts again.
 */
export function conditions(kind: RobunfrKind, dimensions: readonly Dimension[], repetitions: number): Condition[] {
  const baseline = Array.from({ length: repetitions }, (_, repetition) => ({ ...functionOnly, repetition }));
  const asked = workflowsOf[kind].flatMap((workflow) =>
    dimensions.flatMap((dimension) => phrased(workflow, dimension, repetitions)),
  );
  return [...baseline, ...asked];
}

const functionOnly = { workflow: 'function-only', variant: 'original', dimension: null, phrasing: null } as const;

function phrased(workflow: WorkflowName, { name, phrasings }: Dimension, repetitions: number): Condition[] {
  return phrasings.map((phrasing, index) => ({
    workflow,
    variant: `${name}-${String(index + 1).padStart(2, '0')}`,
    dimension: name,
    phrasing,
    repetition: workflow === 'nfr-enhanced' ? index % repetitions : 0,
  }));
}
