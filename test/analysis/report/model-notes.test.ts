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
  const excluded = [{ run: 'new', model: 'same', count: 1, of: 9 }];
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
