/** Rules of a gate's policy that apply to nothing, and what a study can have that a rule may ask about. */
import { functionOnly, type GateConditions } from '../../analysis/gate/conditions.ts';
import type { TitledResult } from '../../domain/gate/junit.ts';
import type { GatePolicy, GateRule } from '../../domain/gate/policy.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { resultsOfKind } from '../results.ts';

/** A kind that states none has the first answers to its plain prompts. */
export const gateConditions = (study: SpecStudy): readonly GateConditions[] =>
  resultsOfKind(study.kind).conditions?.(study) ?? [functionOnly('pass_at_1')];

/** Whether a study with these settings can have what a rule asks about, whatever its suites. */
export const mayApply = ({ metric, benchmark, dimension, workflow }: GateRule, study: SpecStudy | undefined): boolean =>
  study !== undefined &&
  (benchmark ?? study.benchmark) === study.benchmark &&
  gateConditions(study).some(
    ({ metrics, conditions }) =>
      metrics.includes(metric) &&
      conditions.some(
        (one) => (dimension ?? one.dimension) === one.dimension && (workflow ?? one.workflow) === one.workflow,
      ),
  );

/**
 * A note on each: such a rule is most likely misspelled.
 * @param waiting comparisons without results of a side: a rule that may apply to one is not misspelled
 */
export function idleRules(
  { rules }: GatePolicy,
  comparisons: readonly TitledResult[],
  waiting: readonly { readonly study: SpecStudy }[] = [],
): string[] {
  const subjects = comparisons.flatMap(({ result }) => result.subjects);
  return rules.flatMap((rule, index) => {
    if (comparisons.some(({ result }) => (result.rules[index]?.checks.length ?? 0) > 0)) return [];
    if (waiting.some(({ study }) => mayApply(rule, study))) return [];
    const wrong = (['suite', 'benchmark', 'dimension', 'workflow'] as const).flatMap((field) => {
      const known = [
        ...new Set(subjects.filter(({ metric }) => metric === rule.metric).flatMap((subject) => subject[field] ?? [])),
      ];
      const wanted = rule[field];
      return wanted === undefined || known.length === 0 || known.includes(wanted)
        ? []
        : [`unknown ${field} "${wanted}"; known: ${known.join(', ')}`];
    });
    const metrics = [...new Set(subjects.map(({ metric }) => metric))];
    if (!metrics.includes(rule.metric) && waiting.length === 0)
      wrong.unshift(`the comparison has ${metrics.join(', ') || 'no metric'}`);
    return [
      `rule ${index + 1} (${rule.metric}) applies to nothing${wrong.length === 0 ? '' : `: ${wrong.join('; ')}`}`,
    ];
  });
}
