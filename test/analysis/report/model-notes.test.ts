/** Notes on models of several runs. */
import { expect, test } from 'vitest';
import type { ModelCalls } from '../../../analysis/report/model-calls.ts';
import { modelNotes } from '../../../analysis/report/notes/model-notes.ts';

const called = (run: string, model: string): ModelCalls => ({
  ...{ run, model, role: 'study', answered: 9, failed: 0, lost: 0, nRefused: 0, reused: 0, inputTokens: 1 },
  ...{ outputTokens: 1, reportedUsd: 0, estimatedUsd: 0, unpriced: 0, returnedModels: [], otherModels: [] },
  ...{ disbelieved: 0, logprobFaults: 0, answers: 9, cut: 3, fingerprints: [], backends: [] },
});

// Red before: `3 of 9 answers of same (33.3 %) were cut` twice.
test('a model id of two runs is named with its run, any other without', () => {
  const calls = [called('old', 'same'), called('new', 'same'), called('new', 'other')];
  const excluded = [{ run: 'new', model: 'same', count: 1, of: 9, byReference: 0 }];
  const notes = modelNotes({ calls, excluded });
  expect(
    notes.map(({ run, model, text }) => [run, model, /(?:answers of|verdicts on) (.*?) (?:\(3|are)/.exec(text)?.[1]]),
  ).toEqual([
    ['old', 'same', 'same (old)'],
    ['new', 'same', 'same (new)'],
    ['new', 'other', 'other'],
    ['new', 'same', 'same (new)'],
  ]);
});

// Red before: "because a limit of evenkeel kept the program from being judged", also where it was the reference.
test.each([
  [4, 'because the task’s own reference fails or is missing, so there is no output to compare with: they count'],
  [
    1,
    '1 because the task’s own reference fails or is missing, so there is no output to compare with, and 3 because a ' +
      'limit of evenkeel kept the program from being judged: they count',
  ],
  [0, 'because a limit of evenkeel kept the program from being judged: they count'],
])('of 4 excluded verdicts, %i are blamed on the reference', (byReference, expected) => {
  const [note] = modelNotes({ calls: [], excluded: [{ run: 'r', model: 'm', count: 4, of: 8, byReference }] });
  expect(note?.text).toContain(`4 of 8 verdicts on m are excluded, ${expected}`);
});
