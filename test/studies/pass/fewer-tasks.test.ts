/** pass@k of a larger k where some tasks have fewer samples that could be judged, as in a report, by hand. */
import { expect, test } from 'vitest';
import { cellOf } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { Row } from '../../../schemas/tables.ts';
import { terminalBoard } from '../../../studies/pass/report/board.ts';
import { curveFigure } from '../../../studies/pass/report/curves.ts';
import type { PassStudyReport } from '../../../studies/pass/report/data.ts';
import { collectPassGroups } from '../../../studies/pass/results/counts.ts';
import { passAtKRows, repeatRow } from '../../../studies/pass/results/rows.ts';

const ks = [1, 3];

/** Ten tasks whose first sample passes and whose others could be judged or not, and ten of which all samples fail. */
function studyOf(judgedOthers: number): PassStudyReport {
  const collector = collectPassGroups();
  for (let task = 0; task < 20; task += 1) {
    const [n_samples, n_passed] = task < 10 ? [1 + judgedOthers, 1] : [3, 0];
    const cell: Row = {
      ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
      ...{ variant: 'original', setting: 'default', repetition: 0, suite: 'all suites', simulated: false },
    };
    collector.add([{ ...cell, n_samples, n_passed, n_excluded: 3 - n_samples }]);
  }
  const groups = collector.groups();
  return {
    ...{ run: 'r', study: 's', benchmark: 'b', samples: 3, repetitions: 1, ks, temperatures: { default: null } },
    passAtK: groups.flatMap((group) => passAtKRows(group, ks)),
    repeats: groups.map((group) => repeatRow(group)),
    flaky: [],
  };
}

const context: ReportContext = {
  severalRuns: false,
  examples: [],
  exampleOf: () => undefined,
  colorOf: () => '#000',
  model: (_, id) => ({ text: id }),
};

/** Of the only row: pass@1, pass@3, pass^3, and n. */
const cellsOf = (study: PassStudyReport): string[] =>
  (terminalBoard(study, context).rows[0] ?? [])
    .map(cellOf)
    .filter((_, place) => [3, 4, 5, 7].includes(place))
    .map(({ text, under = [] }) => [text, ...under].join('; '));

// Red before: `0.0 %; 0.0 – 30.8` next to a pass@1 of 50 %, and an n of 20.
test('pass@k of fewer tasks says of how many it is, in the terminal, the report and the note of the figure', () => {
  const study = studyOf(0);
  const few = '0.0 %; 0.0 – 30.8; of 10 tasks';
  expect(cellsOf(study)).toEqual(['50.0 %; 27.2 – 72.8', few, few, '20']);
  expect(terminalBoard(study, context).note).toContain('fewer than k samples that could be judged');
  expect(curveFigure(study, context).note).toContain('Not all points of a line are of the same tasks');
});

test('nothing is said where all values of k are of the same tasks', () => {
  const study = studyOf(2);
  expect(cellsOf(study).map((text) => text.replace(/; \S+ – \S+$/, ''))).toEqual(['16.7 %', '50.0 %', '0.0 %', '20']);
  expect(terminalBoard(study, context).note).toBeUndefined();
  expect(curveFigure(study, context).note).not.toContain('same tasks');
});
