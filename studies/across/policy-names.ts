/** Names of a gate's policy that its runs do not have: a rule with one finds nothing to compare, whatever is asked. */
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import type { GatePolicy, GateRule } from '../../domain/gate/policy.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Fault } from '../../domain/spec/faults.ts';
import { runCoverage } from '../coverage.ts';
import { gateConditions } from './idle-rules.ts';

type Field = 'benchmark' | 'suite' | 'dimension' | 'workflow';

/** Places are those of the policy's own values. */
export async function unknownNames(database: RunDatabase, { rules }: GatePolicy): Promise<Fault[]> {
  const [benchmarks, suites] = [benchmarksOf(database), await suitesOf(database, rules)];
  const runs = database.manifests.map(({ runId }) => runId);
  const has = runs.length === 1 ? `run ${runs[0]} has` : `runs ${nameList(runs)} have`;
  return rules.flatMap((rule, index) => {
    const { metric } = rule;
    const unknown = (field: Field, names: readonly string[] | null, of = ''): Fault[] => {
      const name = rule[field];
      if (name === undefined || names === null || names.includes(name)) return [];
      return [{ path: ['rules', index, field], rule: `unknown ${field} "${name}"${of}: ${has} ${names.join(', ')}` }];
    };
    return [
      ...unknown('benchmark', benchmarks),
      ...unknown('suite', suites),
      ...unknown('dimension', conditionNames(database, metric, 'dimension'), ` of ${metric}`),
      ...unknown('workflow', conditionNames(database, metric, 'workflow'), ` of ${metric}`),
    ];
  });
}

/** As the settings of the runs' studies say. Null where none is known to have the metric: a note says so. */
function conditionNames(
  { manifests }: RunDatabase,
  metric: GateMetricName,
  field: 'dimension' | 'workflow',
): string[] | null {
  const own = manifests
    .flatMap(({ spec }) => spec.studies)
    .flatMap(gateConditions)
    .filter(({ metrics }) => metrics.includes(metric))
    .flatMap(({ conditions }) => conditions.map((condition) => condition[field]));
  return own.length === 0 ? null : [...new Set(own)];
}

const benchmarksOf = ({ manifests }: RunDatabase): string[] => [
  ...new Set(manifests.flatMap(({ spec }) => Object.keys(spec.benchmarks))),
];

/** Null where no rule asks, and where they cannot be known: a run that lacks cells may have a suite in those. */
async function suitesOf(database: RunDatabase, rules: readonly GateRule[]): Promise<string[] | null> {
  if (rules.every(({ suite }) => suite === undefined)) return null;
  if (runCoverage(database).some(({ missing }) => missing > 0)) return null;
  const judged = await records(database, 'SELECT DISTINCT suite FROM verdicts ORDER BY suite');
  return judged.length === 0 ? null : judged.map((row) => String(row['suite']));
}
