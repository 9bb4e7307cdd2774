/**
 * Labelling of the summaries by theme (appendix F): the labelling runs, their steps, and rows from their answers.
 */
import type { Row } from '../../schemas/tables.ts';
import type { Answer, At, CellState, StudyPage } from '../cell-state.ts';
import { labelsIn } from './prompts.ts';
import { labellersOf, type SpecificitySettings, taxonomyOf } from './settings.ts';

export interface LabelRun {
  readonly labeller: string;
  /** From 0. */
  readonly pass: number;
}

/** All labellers and passes; labelling run r is stored as loop r + 1. */
export const labelRuns = (settings: SpecificitySettings): LabelRun[] =>
  labellersOf(settings).flatMap((labeller) =>
    Array.from({ length: settings.labelPasses }, (_, pass) => ({ labeller, pass })),
  );

const labelAt = (run: number, ask: number): At => ({ step: 'label', loop: run + 1, ask, sample: 0 });

/** The themes in an answer; null if it cannot be read. */
export const themesOf = (settings: SpecificitySettings, { reply, status }: Answer): string[] | null =>
  status === 'ok' ? labelsIn(reply.text, taxonomyOf(settings)) : null;

/** Rows of table `labels` of a page that generates prompt sets. */
export const labelRows = (settings: SpecificitySettings, page: StudyPage): Row[] =>
  page.cells.flatMap((cell) => labelRuns(settings).flatMap((run, index) => runRows(settings, page, cell, run, index)));

function runRows(
  settings: SpecificitySettings,
  page: StudyPage,
  cell: CellState,
  { labeller, pass }: LabelRun,
  run: number,
): Row[] {
  const answers = Array.from({ length: settings.labelAsks }, (_, ask) => cell.answer(labelAt(run, ask))).filter(
    (answer) => answer !== undefined,
  );
  if (answers.length === 0) return [];
  const themes = answers.map((answer) => themesOf(settings, answer)).find((found) => found !== null);
  const row = {
    ...{ ...page.key(cell), labeller, pass, taxonomy: taxonomyOf(settings).version },
    ...{ asks: answers.length, simulated: page.isSimulated(labeller) },
  };
  if (themes === undefined)
    return [{ ...row, theme: null, reason: `no answer names themes only, of ${answers.length}` }];
  return (themes.length === 0 ? [null] : themes).map((theme) => ({ ...row, theme, reason: null }));
}
