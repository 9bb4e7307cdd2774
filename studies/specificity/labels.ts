/** Labelling of the summaries by theme (appendix F): which run of which labeller is where, and what its answers come to. */
import type { Row } from '../../schemas/tables.ts';
import type { Answer, At, CellState, StudyPage } from '../study.ts';
import { labelsIn } from './prompts.ts';
import { labellersOf, type SpecificitySettings, taxonomyOf } from './settings.ts';

export interface LabelRun {
  readonly labeller: string;
  /** From 0. */
  readonly pass: number;
}

/** Labellers times passes; run r is in loop r + 1. */
export const labelRuns = (settings: SpecificitySettings): LabelRun[] =>
  labellersOf(settings).flatMap((labeller) => Array.from({ length: settings.labelPasses }, (_, pass) => ({ labeller, pass })));

const labelAt = (run: number, ask: number): At => ({ step: 'label', loop: run + 1, ask, sample: 0 });

/** The themes in an answer; null where it holds none that can be read. */
export const themesOf = (settings: SpecificitySettings, { reply, status }: Answer): string[] | null =>
  status === 'ok' ? labelsIn(reply.text, taxonomyOf(settings)) : null;

/** Rows of table `labels` of a page on which sets are made. */
export const labelRows = (settings: SpecificitySettings, page: StudyPage): Row[] =>
  page.cells.flatMap((cell) => labelRuns(settings).flatMap((run, index) => runRows(settings, page, cell, run, index)));

function runRows(settings: SpecificitySettings, page: StudyPage, cell: CellState, { labeller, pass }: LabelRun, run: number): Row[] {
  const answers = Array.from({ length: settings.labelAsks }, (_, ask) => cell.answer(labelAt(run, ask))).filter(
    (answer) => answer !== undefined,
  );
  if (answers.length === 0) return [];
  const themes = answers.map((answer) => themesOf(settings, answer)).find((found) => found !== null);
  const row = {
    ...{ ...page.key(cell), labeller, pass, taxonomy: taxonomyOf(settings).version },
    ...{ asks: answers.length, simulated: page.isSimulated(labeller) },
  };
  if (themes === undefined) return [{ ...row, theme: null, reason: `no answer names themes only, of ${answers.length}` }];
  return (themes.length === 0 ? [null] : themes).map((theme) => ({ ...row, theme, reason: null }));
}
