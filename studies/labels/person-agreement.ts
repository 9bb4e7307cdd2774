/** Agreement between a person's labels and each labelling run's, theme by theme. */
import { textOf } from '../../domain/metrics/row-order.ts';
import { cohenKappa } from '../../domain/statistics/cohen-kappa.ts';
import { krippendorffAlpha } from '../../domain/statistics/krippendorff-alpha.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import type { PersonsLabels } from './sample.ts';

export interface PersonAgreement {
  readonly study: string;
  /** The labelling run: labeller and pass. */
  readonly run: string;
  /** Null: all themes together. */
  readonly theme: string | null;
  readonly name: string;
  /** Number of summaries that both labelled; for all themes together, number of labels. */
  readonly n: number;
  readonly same: number;
  readonly kappa: number | null;
  readonly alpha: number | null;
}

/** Names a labelling run by labeller and pass. */
export const labelRunOf = (row: Row): string => `${textOf(row, 'labeller')}, pass ${String(row['pass'])}`;

/** The distinct labelling runs, sorted. @param labels rows of table `labels` */
export const labelRuns = (labels: readonly Row[]): string[] => [...new Set(labels.map(labelRunOf))].toSorted();

/** @param labels rows of table `labels` of the study */
export function personAgreement(
  study: string,
  person: readonly PersonsLabels[],
  labels: readonly Row[],
  taxonomy: Taxonomy,
): PersonAgreement[] {
  const themes = taxonomy.categories.flatMap((category) => category.themes);
  return labelRuns(labels).flatMap((run) => {
    const own = labels.filter((row) => labelRunOf(row) === run);
    const found = new Map(
      [...Map.groupBy(own, (row) => JSON.stringify([row['task_id'], row['variant']]))].flatMap(([prompt, rows]) =>
        rows.some((row) => row['reason'] !== null) ? [] : [[prompt, new Set(rows.map((row) => row['theme']))] as const],
      ),
    );
    const both = person.flatMap(({ taskId, variant, themes: hers }) => {
      const theirs = found.get(JSON.stringify([taskId, variant]));
      return theirs === undefined ? [] : [{ hers, theirs }];
    });
    const pairsOf = (theme: string): [boolean, boolean][] =>
      both.map(({ hers, theirs }) => [hers.has(theme), theirs.has(theme)]);
    const row = (theme: string | null, name: string, pairs: readonly [boolean, boolean][]): PersonAgreement => ({
      ...{ study, run, theme, name, n: pairs.length, same: pairs.filter(([a, b]) => a === b).length },
      kappa: cohenKappa(pairs),
      alpha: krippendorffAlpha(pairs),
    });
    return [
      row(
        null,
        'all themes',
        themes.flatMap(({ id }) => pairsOf(id)),
      ),
      ...themes.map(({ id, name }) => row(id, name, pairsOf(id))),
    ];
  });
}
