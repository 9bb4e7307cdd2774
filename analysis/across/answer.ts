/** The first sentences about several runs: whether anything changed between them. */
import { counted } from '../../domain/counted.ts';
import type { VersionVerdict } from '../../domain/statistics/tests/version-verdict.ts';
import { countText } from '../report/format.ts';
import type { AcrossRuns, ModelAcross } from './across-runs.ts';

interface Compared extends Pick<ModelAcross, 'old' | 'now' | 'model' | 'pHolm'> {
  readonly comparison: {
    readonly pairs: readonly Pick<ModelAcross['comparison']['pairs'][number], 'verdict'>[];
    readonly options: Pick<ModelAcross['comparison']['options'], 'alpha'>;
  };
}

/**
 * Over all models; of more than two runs, each against the one before it. A model counts once for these two runs, in
 * however many metrics and suites it is compared: if these are several, a second sentence counts each of them.
 */
export function answerAcross(models: readonly Compared[]): string {
  const steps = new Set(models.map(stepOf));
  const of = `Of ${counted(steps.size, 'comparison')} of a model with itself`;
  const better = shownAs('better', models);
  const worse = shownAs('worse', models);
  if (better.length + worse.length === 0) return `${of}, none shows a difference on these tasks.`;
  const countOf = (shown: readonly Compared[]): number => new Set(shown.map(stepOf)).size;
  const whole = `${of}, the later run is shown to be better in ${countOf(better)} and worse in ${countOf(worse)}.`;
  return steps.size === models.length
    ? whole
    : `${whole} Each metric and suite on its own: better in ${better.length} and worse in ${worse.length} of ` +
        `${countText(models.length)}.`;
}

/** The first sentence where there is nothing to compare. */
export function nothingCompared({ runs, tasks }: Pick<AcrossRuns, 'runs' | 'tasks'>): string {
  const shared = tasks.reduce(
    (sum, { same, changed, otherSuites }) => sum + same + changed.length + otherSuites.length,
    0,
  );
  const which = runs.length === 2 ? 'These runs' : 'Each run and the one before it';
  const task = shared === 0 ? 'no task and ' : '';
  return (
    `${which} have ${task}no model with answers in a study of the same name and kind in common: nothing is compared ` +
    'between them.'
  );
}

/** A model from one run to the next. */
const stepOf = ({ old, now, model }: Compared): string => JSON.stringify([old, now, model]);

const shownAs = (wanted: VersionVerdict, models: readonly Compared[]): Compared[] =>
  models.filter(({ pHolm, comparison: { pairs, options } }) => pHolm <= options.alpha && pairs[0]?.verdict === wanted);
