/** A panel of judges: the score of a break, the error of ASL from the choice of judges, and table `loop_judges`. */
import { describe, expect, test } from 'vitest';
import { aslRows, weightedAsl } from '../../../../domain/metrics/asl-rows.ts';
import { judgeError } from '../../../../domain/metrics/judges/judge-error.ts';
import { judgeRows } from '../../../../domain/metrics/judges/judge-rows.ts';
import { panelMean } from '../../../../domain/metrics/judges/panel-mean.ts';
import { type Row, tables } from '../../../../schemas/tables.ts';
import fixture from '../../../fixtures/krippendorff/judges.json' with { type: 'json' };

const key = (task: number): Row => ({
  ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0 },
});

/** A break by judge and repeat; [] was not judged. */
type Scores = readonly (readonly (number | null)[])[];

const loopRow = (task: number, sustained: number, scores: Scores, endedBy = 'code_failed'): Row => ({
  ...key(task),
  sustained_loops: sustained,
  ended_by: endedBy,
  similarity: panelMean(scores),
  simulated: false,
});

const judgementRowsOf = (task: number, loop: number, scores: Scores): Row[] =>
  scores.flatMap((own, judge) =>
    own.map((score, repeat) => ({
      ...{ ...key(task), loop, ask: 0, sample: judge * own.length + repeat, judge: `j${judge}`, repeat, score },
      simulated: judge === 1,
    })),
  );

const breaks: readonly (readonly [sustained: number, scores: Scores])[] = [
  [
    1,
    [
      [0.5, 0.7],
      [0.2, 0.2],
    ],
  ],
  [
    1,
    [
      [0.9, 0.9],
      [0.5, null],
    ],
  ],
  [
    2,
    [
      [0.4, 0.2],
      [null, null],
    ],
  ],
  [
    2,
    [
      [1, 1],
      [0.8, 0.8],
    ],
  ],
];
const loops = [
  ...breaks.map(([sustained, scores], task) => loopRow(task, sustained, scores)),
  loopRow(7, 0, []),
  loopRow(8, 3, [], 'survived'),
  // Its summary was refused: no judge was asked.
  loopRow(9, 1, [], 'no_summary'),
  loopRow(
    10,
    1,
    [
      [0, 0],
      [0, 0],
    ],
    'excluded',
  ),
];
const judgements = [
  ...breaks.flatMap(([sustained, scores], task) => judgementRowsOf(task, sustained, scores)),
  ...judgementRowsOf(10, 1, [
    [0, 0],
    [0, 0],
  ]),
];
const judges = { models: ['j0', 'j1'], repeats: 2 };
const settings = { maxLoops: 3, judge: 'j0, j1', judges };

describe('the score of a break', () => {
  test('is the mean of the judges’ means; who has none does not count', () => {
    expect(panelMean([[0.2, 0.4], [0.9]])).toBeCloseTo(0.6, 15);
    expect(panelMean([[0.2, null], [0.9]])).toBeCloseTo(0.55, 15);
    expect(panelMean([[null, null], [0.9]])).toBe(0.9);
    expect([panelMean([[null], [null]]), panelMean([])]).toEqual([null, null]);
  });

  test('of one judge asked once is its score, to the last bit', () => {
    for (const score of [0.1, 0.3, 0.7, 1 / 3, 1e-9, 0]) expect(panelMean([[score]])).toBe(score);
  });
});

describe('the error from the choice of judges', () => {
  test.each(fixture.panels.map((panel, index) => [index, panel] as const))(
    'panel %i: as by the mean squares of two factors',
    (_index, { loops: sustained, scores, error }) => {
      const cells = scores.map((own, task) => ({
        taskId: String(task),
        sustainedLoops: sustained[task] as number,
        scores: own,
      }));
      expect(judgeError(cells, 10)).toBeCloseTo(error, 12);
    },
  );

  test('is 0 if judges differ no more than by chance, and null for one judge or one task', () => {
    const cell = (taskId: string, ...scores: (number | null)[]) => ({ taskId, sustainedLoops: 1, scores });
    expect(judgeError([cell('a', 0.2, 0.4), cell('b', 0.4, 0.2)], 3)).toBe(0);
    expect(judgeError([cell('a', 0.2), cell('b', 0.4)], 3)).toBeNull();
    expect(judgeError([cell('a', 0.2, 0.3), cell('a', 0.3, 0.4)], 3)).toBeNull();
    expect(judgeError([cell('a', 0.2, null), cell('b', null, 0.2)], 3)).toBeNull();
    expect(judgeError([cell('a', 0.2, 0.3), cell('b', null, 0.2)], 3)).toBeNull();
  });

  test('by hand: one judge is 0.3 above the other everywhere, two breaks after two of three loops', () => {
    const cells = ['a', 'b'].map((taskId, task) => ({
      taskId,
      sustainedLoops: 2,
      scores: [0.5 + task / 10, 0.2 + task / 10],
    }));
    // Their ASLs differ by 2 x 0.3 / 3 = 0.2 in every task: variance 0.02 over two judges, so 0.1.
    expect(judgeError(cells, 3)).toBeCloseTo(0.1, 12);
  });
});

// Red before: cells that a limit ended were left out, so that one ASL had two values in two tables.
test('all judges together give the ASL of table `asl`, also where cells could not be judged to their end', () => {
  const open = [11, 12, 13, 14, 15, 16].map((task) => loopRow(task, 2, [], 'excluded'));
  const some = [loopRow(7, 0, []), ...loops.slice(0, 1), ...open];
  const [asl] = aslRows(some, settings, [], judgements);
  const [together] = judgeRows(some, judgements, settings);
  const ends = (row: Row | undefined) => [row?.['asl'], row?.['asl_lo'], row?.['asl_hi']];
  expect(ends(together)).toEqual(ends(asl));
  // 0, and 1 of 3 loops with similarity 0.4; of six cells at least 2 loops with similarity 0: 2 * 1 / 3 each.
  expect(together?.['asl']).toBeCloseTo((0.4 / 3 + 6 * (2 / 3)) / 8, 12);
});

// Red before: the part of the judges left the interval, which was that of one judge.
test('a judge without any score changes nothing of ASL, its interval included', () => {
  const settings = { maxLoops: 3, judge: 'judge' };
  const cells = ['a', 'b', 'c'].map((taskId, task) => ({
    ...{ taskId, asked: true, sustainedLoops: 2, similarity: 0.35 + task / 10 },
    scores: [[0.5 + task / 10], [0.2 + task / 10]],
  }));
  const two = weightedAsl(cells, cells, settings);
  const withNone = cells.map((cell) => ({ ...cell, scores: [...cell.scores, [null]] }));
  // Of one break only: the similarities are given, and the error is that of the others.
  const withRare = cells.map((cell, task) => ({ ...cell, scores: [...cell.scores, [task === 0 ? 0.35 : null]] }));
  expect(two.judgeError).toBeCloseTo(0.1, 12);
  expect(weightedAsl(cells, withNone, settings)).toEqual(two);
  expect(weightedAsl(cells, withRare, settings)).toEqual(two);
});

describe('ASL of a panel', () => {
  const [row] = aslRows(loops, settings, [], judgements);
  const [fixed] = aslRows(loops, { maxLoops: 3, judge: 'j0' });

  test('has the mean similarities, and an interval that is wider by the error of the judges', () => {
    // Counted: 0; 1 with means 0.4 and 0.7, and one without; 2 with 0.3 and 0.9; 3. s_1 = 0.55, s_2 = 1.6 / 2.
    expect(row?.['asl']).toBeCloseTo((3 * 0.55 + 2 * 4 * 0.8 + 9) / 21, 12);
    expect(row).toMatchObject({ judge: 'j0, j1', n: 7, n_unscored: 1, n_excluded: 1 });
    expect(row?.['judge_error']).toBeGreaterThan(0);
    expect(row?.['method']).toContain('choice of judges');
    expect(Number(row?.['asl_lo'])).toBeLessThan(Number(fixed?.['asl_lo']));
    expect(Number(row?.['asl_hi'])).toBeGreaterThan(Number(fixed?.['asl_hi']));
  });

  test('goes no further than any scores could take it', () => {
    const ends = ([0, 1] as const).map((similarity) => {
      const all = loops.map((loop) => (loop['similarity'] === null ? loop : { ...loop, similarity }));
      return aslRows(all, { maxLoops: 3, judge: 'j0' })[0];
    });
    expect(Number(row?.['asl_lo'])).toBeGreaterThanOrEqual(Number(ends[0]?.['asl_lo']));
    expect(Number(row?.['asl_hi'])).toBeLessThanOrEqual(Number(ends[1]?.['asl_hi']));
  });

  test('without a panel no number changes', () => {
    expect(fixed).toMatchObject({
      judge_error: null,
      asl: row?.['asl'],
      method: expect.not.stringContaining('judges'),
    });
  });
});

describe('table loop_judges', () => {
  const rows = judgeRows(loops, judgements, settings);

  test('has every column of the table, a row for the judges together and one for each', () => {
    for (const row of rows)
      expect(Object.keys(row).toSorted()).toEqual(Object.keys(tables.loop_judges.columns).toSorted());
    expect(rows.map(({ compared, judge, simulated }) => [compared, judge, simulated])).toEqual([
      ['judges', 'j0, j1', true],
      ['repeats', 'j0', false],
      ['repeats', 'j1', true],
    ]);
  });

  test('the judges together: means 0.6 and 0.2, 0.9 and 0.5, 0.3 and none, 1 and 0.8', () => {
    const [together] = rows;
    // Six paired values with mean 2/3: total squares 0.43 1/3; within 2 x (0.08 + 0.08 + 0.02).
    expect(together?.['alpha']).toBeCloseTo(1 - (5 * 0.36) / (6 * (3.1 - 6 * (4 / 6) ** 2)), 12);
    expect(together?.['disagreement']).toBeCloseTo(1 / 3, 12);
    expect(together?.['score']).toBeCloseTo((0.4 + 0.7 + 0.3 + 0.9) / 4, 12);
    expect(together).toMatchObject({ n: 3, n_tasks: 3, n_scored: 4, n_missing: 1, reason: null });
  });

  test('each judge alone: its repeats, its mean score and the ASL that it would give', () => {
    const [, first, second] = rows;
    expect(first?.['disagreement']).toBeCloseTo((0.2 + 0 + 0.2 + 0) / 4, 12);
    expect(first?.['score']).toBeCloseTo((0.6 + 0.9 + 0.3 + 1) / 4, 12);
    // s_1 = 0.75, s_2 = (1.3 + 2) / 4.
    expect(first?.['asl']).toBeCloseTo((3 * 0.75 + 2 * 4 * 0.825 + 9) / 21, 12);
    expect(first).toMatchObject({ n: 4, n_tasks: 4, n_scored: 4, n_missing: 0 });
    expect(second).toMatchObject({ alpha: 1, disagreement: 0, n: 2, n_scored: 3, n_missing: 3 });
  });

  test('every value has an interval that contains it', () => {
    for (const row of rows)
      for (const name of ['alpha', 'disagreement', 'score', 'asl']) {
        expect(Number(row[`${name}_lo`]), name).toBeLessThanOrEqual(Number(row[name]));
        expect(Number(row[`${name}_hi`]), name).toBeGreaterThanOrEqual(Number(row[name]));
      }
  });

  test('judges that are asked once have no agreement of their own, and one judge asked once has no rows', () => {
    const once = judgements.filter(({ repeat }) => repeat === 0);
    const [together, first] = judgeRows(loops, once, { ...settings, judges: { ...judges, repeats: 1 } });
    expect(together).toMatchObject({ compared: 'judges', n: 3 });
    expect(first).toMatchObject({ alpha: null, alpha_lo: null, reason: 'the judge scores each break once' });
    expect(judgeRows(loops, once, { ...settings, judges: { models: ['j0'], repeats: 1 } })).toEqual([]);
  });
});
