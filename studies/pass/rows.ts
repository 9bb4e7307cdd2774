/** The study's own table of one page: how many of each cell's samples passed. */
import type { Row, TableName } from '../../schemas/tables.ts';
import type { At, CellState, StudyPage } from '../cell-state.ts';
import { sampleVerdict } from '../sample-verdict.ts';
import type { PassStudy } from './settings.ts';

export const passRows = ({ settings }: PassStudy, page: StudyPage): Partial<Record<TableName, Row[]>> => ({
  pass_counts: page.cells.map((cell) => countRow(settings.samples, page, cell)),
});

function countRow(samples: number, page: StudyPage, cell: CellState): Row {
  const verdicts = Array.from({ length: samples }, (_, sample): At => ({ step: 'generate', loop: 1, ask: 0, sample }))
    .filter((at) => cell.answer(at) !== undefined)
    .map((at) => sampleVerdict(cell.outcomes(at)));
  const excluded = verdicts.filter((verdict) => verdict === 'excluded').length;
  return {
    ...page.key(cell),
    n_samples: verdicts.length - excluded,
    n_passed: verdicts.filter((verdict) => verdict === 'passed').length,
    n_excluded: excluded,
    simulated: page.simulated,
  };
}
