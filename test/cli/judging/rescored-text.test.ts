/** What the text of `rescore` says of answers that were never asked for. */
import { expect, test } from 'vitest';
import type { RescoredModel } from '../../../analysis/rescored.ts';
import { rescoredText } from '../../../cli/output/rescored-text.ts';

const model = {
  ...{ study: 's', model: 'm', rule: 'strict-1', compared: 4, passedBefore: 4, passedNow: 4, otherPrograms: 0 },
  ...{ nowPass: 0, noLongerPass: 0, nowFailExcludedBefore: 0, nowExcludedFailedBefore: 0, otherOutcome: 0 },
  ...{ nowPassExcludedBefore: 0, noLongerPassExcludedNow: 0, onlyBefore: 0, onlyNow: 0 },
};
const lastLine = (notAsked: number, inLoops: readonly string[]): string | undefined =>
  rescoredText({
    ...{ run: 'a', rescored: 'b', moved: [], inLoops: new Set(inLoops) },
    models: [{ ...model, notAsked }],
  })
    .split('\n')
    .at(-1);

// Red when every run is told of loops.
test('loops are named only where a study in loops lacks answers', () => {
  expect(lastLine(2, [])).toBe('not asked: answers that this rule needs and the run never asked for');
  expect(lastLine(2, ['another'])).not.toContain('loops');
  expect(lastLine(2, ['s'])).toMatch(/; tasks in loops count with the loops that are known$/);
  expect(lastLine(0, ['s'])).not.toContain('not asked');
});

// Red before: a run whose questions do not depend on verdicts had a column of zeros.
test('the column of questions that nobody asked is there where a study has some', () => {
  const lacking = (notAsked: number): string =>
    rescoredText({
      ...{ run: 'a', rescored: 'b', moved: [], inLoops: new Set() },
      models: [
        { ...model, notAsked: 0 },
        { ...model, model: 'n', notAsked },
      ],
    });
  expect(lacking(0)).not.toContain('not asked');
  expect(lacking(2)).toMatch(/newly reached[^│]*│ not asked/);
});

const textOf = (more: Partial<RescoredModel>): string =>
  rescoredText({
    ...{ run: 'a', rescored: 'b', moved: [], inLoops: new Set() },
    models: [{ ...model, notAsked: 0, ...more }],
  });

// Red before: no column had them.
test('verdicts that moved between excluded and failed have columns, which runs without any lack', () => {
  const text = textOf({ nowFailExcludedBefore: 48, otherOutcome: 3 });
  expect(text).toMatch(/│ excluded, now fail │ other outcome │/);
  expect(text).toMatch(/│ 48 +│ 3 +│/);
  expect(textOf({})).not.toMatch(/excluded|other outcome/);
});

test('of verdicts that moved from or to passed, it says how many were or are excluded', () => {
  const lines = textOf({ nowPass: 5, nowPassExcludedBefore: 2, noLongerPass: 4, noLongerPassExcludedNow: 1 }).split(
    '\n',
  );
  expect(lines).toContain('of those that now pass, excluded before: 2');
  expect(lines).toContain('of those that pass no longer, excluded now: 1');
});
