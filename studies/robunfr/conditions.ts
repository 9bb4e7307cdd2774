/** What a study asks of a task: Function-Only in repetitions, and each phrasing of each dimension in each of its workflows. */
import type { Dimension } from './dimensions.ts';
import type { WorkflowName } from './prompt-program.ts';

export const robunfrKinds = ['robunfr-prompts', 'robunfr-regression', 'robunfr-workflows'] as const;
export type RobunfrKind = (typeof robunfrKinds)[number];

export interface Condition {
  readonly workflow: WorkflowName;
  /** In the cell key: `original` for Function-Only, else the dimension and the phrasing's number from 1, `design-01`. */
  readonly variant: string;
  /** Null for Function-Only. */
  readonly dimension: string | null;
  readonly phrasing: string | null;
  /** Which Function-Only answer it belongs to, from 0: its own number for Function-Only, the one to improve for NFR-Enhanced. */
  readonly repetition: number;
}

/** RQ1 and RQ2 compare phrasings and versions of NFR-Integrated; RQ3 sets NFR-Enhanced beside it. */
const workflowsOf: Readonly<Record<RobunfrKind, readonly WorkflowName[]>> = {
  'robunfr-prompts': ['nfr-integrated'],
  'robunfr-regression': ['nfr-integrated'],
  'robunfr-workflows': ['nfr-integrated', 'nfr-enhanced'],
};

/**
 * Function-Only first, then by workflow, dimension and phrasing.
 * @param repetitions of Function-Only: the paper has as many as there are phrasings. Phrasing i improves repetition i, beginning again where
 * there are fewer.
 */
export function conditions(kind: RobunfrKind, dimensions: readonly Dimension[], repetitions: number): Condition[] {
  const baseline = Array.from({ length: repetitions }, (_, repetition) => ({ ...functionOnly, repetition }));
  const asked = workflowsOf[kind].flatMap((workflow) => dimensions.flatMap((dimension) => phrased(workflow, dimension, repetitions)));
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
