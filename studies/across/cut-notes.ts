/** Which comparisons are on fewer tasks than some model has, and which model has the fewest. */
import type { Comparison } from '../../domain/compare/comparison.ts';
import { counted } from '../../domain/counted.ts';
import { nameList } from '../../domain/name-list.ts';
import { conditionsText, type NotedSubject } from './conditions-text.ts';

type Compared = Pick<Comparison, 'study' | 'subject' | 'variant' | 'models' | 'taskIds' | 'ownTasks'>;

/** One for those of which the same is true. It names the metrics and conditions, unless it is about all of them. */
export function cutNotes(comparisons: readonly Compared[]): string[] {
  const cuts = comparisons.flatMap((comparison) => {
    const text = cutText(comparison);
    return text === null ? [] : [{ text, subject: subjectOf(comparison) }];
  });
  const all = comparisons.map(subjectOf);
  return [...Map.groupBy(cuts, ({ text }) => text)].flatMap(([text, own]) => {
    const subjects = own.map(({ subject }) => subject);
    const about = subjects.length === all.length ? [''] : metricsTexts(subjects, all);
    return about.map((what) => `study ${comparisons[0]?.study}${what}: ${text}`);
  });
}

const subjectOf = ({ subject, variant }: Compared): NotedSubject => ({ ...subject, variant });

function cutText({ models, taskIds, ownTasks }: Compared): string | null {
  const [fewest, most] = [Math.min(...ownTasks), Math.max(...ownTasks)];
  if (most <= taskIds.length) return null;
  const name = models[ownTasks.indexOf(fewest)]?.name;
  const least = fewest === most ? '' : `; ${name} has the fewest, ${fewest}`;
  return (
    `compared on the ${counted(taskIds.length, 'task')} that all ${models.length} models share, of up to ` +
    `${most}${least}`
  );
}

/** `, wall_ratio, cpu_ratio (reliability, nfr-integrated)`: metrics under the same conditions together. */
function metricsTexts(some: readonly NotedSubject[], all: readonly NotedSubject[]): string[] {
  const metrics = [...Map.groupBy(some, ({ metric }) => metric)].map(([metric, own]) => ({
    metric,
    conditions: conditionsText(
      own,
      all.filter((one) => one.metric === metric),
    ),
  }));
  const alike = Map.groupBy(metrics, ({ conditions }) => conditions);
  return [...alike].map(([conditions, own]) => `, ${nameList(own.map(({ metric }) => metric))}${conditions}`);
}
