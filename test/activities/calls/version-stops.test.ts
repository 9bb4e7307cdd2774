/** Models that `strictVersion` stopped. */
import { expect, test } from 'vitest';
import { onlyStrictStops, otherVersion, strictStops } from '../../../activities/calls/attempts/version-stops.ts';

const change = { field: 'returnedModel', first: 'm-1', now: 'm-2' } as const;
const stop = (model: string, detail: string, reason = 'model_stopped') => ({ model, reason, detail });
const stopped = (model: string, where = '') =>
  stop(model, `${model}: ${otherVersion(change, where).message} (models[0])`);
const model = (id: string, strictVersion = true) => ({ id, provider: 'p', strictVersion, study: true });
const spec = { models: [model('a'), model('b'), model('c', false)] };

test('are those of which another version answers, by a call or in a batch, while the spec asks for it', () => {
  const others = [stop('b', 'b: 401 no such key'), stopped('c'), stop('*', 'by hand', 'paused')];
  expect(strictStops([stopped('a'), ...others], spec)).toEqual(['a']);
  expect(strictStops([stopped('a', ' in a batch')], spec)).toEqual(['a']);
  // An endpoint's text in another message is no version that answers.
  expect(strictStops([stop('a', 'a: 400 b: another version answers')], spec)).toEqual([]);
});

const lane = (of: string, cells: number, cellsDone: number) => ({
  study: 's',
  model: of,
  cells,
  cellsDone,
  answered: cellsDone,
});
const left = (found: Partial<Parameters<typeof onlyStrictStops>[0]>) =>
  onlyStrictStops(
    { stopped: [stopped('a')], lanes: [lane('a', 4, 1), lane('b', 4, 4)], failedPages: [], ...found },
    spec,
  );

test('leave nothing to resume only where all else is done', () => {
  expect(left({})).toEqual(['a']);
  expect(left({ lanes: [lane('a', 4, 1), lane('b', 4, 3)] })).toEqual([]);
  expect(left({ stopped: [stopped('a'), stop('*', 'by hand', 'paused')] })).toEqual([]);
  expect(left({ failedPages: [{ page: 's/b/r1p0000', reason: 'lost' }] })).toEqual([]);
  expect(left({ stopped: [] })).toEqual([]);
});
