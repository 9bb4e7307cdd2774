import { expect, test } from 'vitest';
import { onStoppedModels } from '../../../cli/follow/stopped-models.ts';

const stop = (model: string) => ({ model, reason: 'model_stopped', detail: `${model}: HTTP 401` });
const followed = (before: readonly string[], ids: readonly string[]) => {
  const lines: string[] = [];
  const models = ids.map((id) => ({ id }));
  const look = onStoppedModels(models, Promise.resolve({ stopped: before.map(stop) }), (line) => void lines.push(line));
  const after = async (...stopped: readonly string[]): Promise<number> => {
    await look({ stopped: stopped.map(stop) });
    return lines.length;
  };
  return { lines, after };
};

// Red before: only `status` and the end of the run named them.
test('a model that is stopped while others go on is named once', async () => {
  const { lines, after } = followed(['old'], ['old', 'a', 'b', 'c']);
  expect([await after('old'), await after('old', 'a'), await after('old', 'a'), await after('a', 'b')]).toEqual([
    ...[0, 1, 1, 2],
  ]);
  expect(lines[0]).toBe('asked no more, while other models go on: a: HTTP 401');
});

test('a run that stops, or has no other model, says it at its end', async () => {
  const { after } = followed([], ['a', 'b']);
  expect([await after('a', '*'), await after('a', 'b')]).toEqual([0, 0]);
});
