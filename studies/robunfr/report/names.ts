/** Display names of measures, workflows and requirements. */
import { missing } from '../../../analysis/report/format.ts';

interface Measured {
  readonly metric: string;
  readonly suite: string | null;
}

const metricNames: Readonly<Record<string, string>> = {
  code_smell: 'code smell',
  unreadability: 'unreadability',
  exception_handling: 'exception handling',
  wall_ms: 'wall time',
  cpu_ms: 'CPU time',
  wall_ms_passing: 'wall time, passing',
  cpu_ms_passing: 'CPU time, passing',
};

export const measureName = ({ metric, suite }: Measured): string =>
  suite === null ? (metricNames[metric] ?? metric) : `pass@1 ${suite}`;

/** The distinct measures of some rows, in order of appearance. */
export const measuresOf = (rows: readonly Measured[]): string[] => [...new Set(rows.map(measureName))];

export const workflowName = (workflow: string): string => workflow.replace('nfr-', '');

export const isPlain = ({ dimension }: { readonly dimension: string }): boolean => dimension === 'function-only';

export const requirementName = (row: { readonly dimension: string }): string =>
  isPlain(row) ? missing : row.dimension;
