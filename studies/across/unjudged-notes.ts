/** Notes on answers that could not be judged, of models that are compared. */
import type { Comparison } from '../../domain/compare/comparison.ts';
import { conditionName, type GateSubject } from '../../domain/gate/evaluate.ts';
import { nameList } from '../../domain/name-list.ts';
import { conditionsText } from './conditions-text.ts';

/** Which models have answers that could not be judged, and under which conditions, if their numbers differ. */
export function unjudgedNotes(
  comparisons: readonly Pick<Comparison, 'study' | 'subject' | 'models' | 'unjudged' | 'hasUnasked'>[],
): string[] {
  const found = comparisons.flatMap(({ subject, models, unjudged = [] }) => {
    const names = models.flatMap(({ name }, model) => (unjudged[model] ? [`${name} ${unjudged[model]}`] : []));
    return names.length === 0 ? [] : [{ subject, names: nameList(names) }];
  });
  const study = comparisons[0]?.study;
  const groups = [...Map.groupBy(found, ({ names }) => names)];
  const all = comparisons.map(({ subject }) => subject);
  const texts =
    groups.length > mostUnjudgedNotes
      ? [['', unjudgedRanges(comparisons)] as const]
      : groups.map(([names, own]) => {
          const subjects = own.map(({ subject }) => subject);
          const metrics = [...new Set(subjects.map(({ metric }) => metric))];
          // Metrics of one condition may differ in what could be judged.
          const isOfAll = all.every((one) => metrics.includes(one.metric) || !isSameCondition(one, subjects));
          return [`${isOfAll ? '' : `, ${nameList(metrics)}`}${conditionsText(subjects, all)}`, names] as const;
        });
  const what = comparisons.some(({ hasUnasked }) => hasUnasked === true) ? unaskedText : 'are in no mean';
  return texts.map(
    ([conditions, names]) =>
      `study ${study}${conditions}: answers that could not be judged ${what} (${names}); a model is only called ` +
      'better if it is with its own at their worst and the other’s at their best, and intervals have all that they ' +
      'allow',
  );
}

const isSameCondition = (one: GateSubject, subjects: readonly GateSubject[]): boolean =>
  subjects.some((other) => conditionName(other) === conditionName(one) && other.suite === one.suite);

const unaskedText = 'are in no mean, and what was never asked counts there as little as it can';

/** If more conditions than these have numbers of their own, one note has the least and the most of each model. */
const mostUnjudgedNotes = 4;

function unjudgedRanges(comparisons: readonly Pick<Comparison, 'models' | 'unjudged'>[]): string {
  const counts = comparisons.flatMap(({ models, unjudged = [] }) =>
    models.map(({ name }, model) => ({ name, count: unjudged[model] ?? 0 })),
  );
  const ranges = [...Map.groupBy(counts, ({ name }) => name)].flatMap(([name, own]) => {
    const [least, most] = [Math.min(...own.map(({ count }) => count)), Math.max(...own.map(({ count }) => count))];
    return most === 0 ? [] : [`${name} ${least === most ? most : `${least} to ${most}`} by condition`];
  });
  return nameList(ranges);
}
