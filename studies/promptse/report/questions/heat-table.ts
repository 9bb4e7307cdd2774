/** RQ4: figure 3b of the paper, calibration of each model under each emotion. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import { estimatedNumber, shadeAmong } from '../../../../analysis/report/cells.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';

interface Calibrated {
  readonly value: number;
  readonly interval: Interval | null;
  /** Samples. */
  readonly n: number;
}

export function heatTable(affect: readonly ModelAffect[]): DataTable {
  const models = affect.map((one) => ({ model: one.model, groups: emotionGroups(one) }));
  const names = [...new Set(models.flatMap(({ groups }) => groups.map(({ name }) => name)))];
  const rows = models
    .map(({ model, groups }) => ({ model, cells: names.map((name) => calibratedOf(groups, name)) }))
    .filter(({ cells }) => cells.some((one) => one !== null));
  const shade = shadeAmong(rows.flatMap(({ cells }) => cells.map((one) => one?.value ?? null)));
  return {
    title: 'Calibration (1 − ECE) by model and emotion',
    note:
      'Darker: better calibrated. Below each value: its 95 % interval (bias-corrected bootstrap over tasks; table ' +
      'calibration has the numbers of samples and tasks). Models without log-probabilities are not listed.',
    words: 1,
    heads: ['Model', ...names],
    rows: rows.map(({ model, cells }) => [
      model,
      ...cells.map((one) => ({
        ...estimatedNumber(one),
        ...(one === null ? {} : { shade: shade(one.value), n: `${one.n} samples` }),
      })),
    ]),
  };
}

const emotionGroups = ({ groups }: ModelAffect): ModelAffect['groups'] =>
  groups.filter(({ by }) => by === 'original' || by === 'emotion');

function calibratedOf(groups: ModelAffect['groups'], name: string): Calibrated | null {
  const error = groups.find((group) => group.name === name)?.calibration ?? null;
  if (error === null) return null;
  const { value, interval, n } = error;
  return { n, value: 1 - value, interval: interval && { lo: 1 - interval.hi, hi: 1 - interval.lo } };
}
