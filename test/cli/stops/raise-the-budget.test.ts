import { expect, test } from 'vitest';
import { howToContinue } from '../../../cli/how-to-continue.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

// Red before: "...start a new run for it; first raise it: npx evenkeel budget", as if that were about the model.
test('a run that its budget stopped, among others, says that on a line of its own', () => {
  const stateDetail = 'budget, model_stopped: 2 pages stopped, 0 failed\n  m: another version answers';
  const manifest = { runId: 'r', stateDetail, spec: { budget: { usd: 1 } } } as unknown as Manifest;
  const text = howToContinue(manifest, 'runs', { retry: undefined, strict: [], specPath: undefined });
  expect(text.split('\n').map((line) => line.replace(/ --runs-dir.*/, ''))).toEqual([
    'the run is incomplete: budget, model_stopped: 2 pages stopped, 0 failed',
    '  m: another version answers',
    'First raise the budget:',
    '  npx evenkeel budget r --usd DOLLARS',
    'Continue with:',
    '  npx evenkeel resume r',
  ]);
});
