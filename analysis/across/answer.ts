/** The first sentence about several runs: whether anything changed between them. */
import { counted } from '../../domain/counted.ts';
import type { ModelAcross } from './across-runs.ts';

interface Compared extends Pick<ModelAcross, 'pHolm'> {
  readonly comparison: {
    readonly pairs: readonly Pick<ModelAcross['comparison']['pairs'][number], 'verdict'>[];
    readonly options: Pick<ModelAcross['comparison']['options'], 'alpha'>;
  };
}

/** One sentence over all models and metrics; of more than two runs, each against the one before it. */
export function answerAcross(models: readonly Compared[]): string {
  const shown = models
    .filter(({ pHolm, comparison: { options } }) => pHolm <= options.alpha)
    .flatMap(({ comparison: { pairs } }) => pairs.slice(0, 1).map(({ verdict }) => verdict));
  const of = `Of ${counted(models.length, 'comparison')} of a model with itself`;
  if (shown.length === 0) return `${of}, none shows a difference on these tasks.`;
  const count = (wanted: string): number => shown.filter((verdict) => verdict === wanted).length;
  return `${of}, the later run is shown to be better in ${count('better')} and worse in ${count('worse')}.`;
}
