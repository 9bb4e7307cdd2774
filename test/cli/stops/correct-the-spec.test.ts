/** What comes before `resume` where a run as it is would stop again at once. */
import { expect, test } from 'vitest';
import { placeInSpec } from '../../../activities/calls/attempts/place-in-spec.ts';
import type { SpecField } from '../../../activities/providers/provider.ts';
import { howToContinue } from '../../../cli/how-to-continue.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

const specText = `name: nightly
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:8000/v1", apiKeyEnv: KEY } }
models:
  - { id: a, provider: here, model: wrong, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }
benchmarks: { b: { format: evenkeel, path: b.jsonl } }
studies: [{ name: s, kind: pass, benchmark: b }]
budget: { usd: 1 }
`;
const manifest = { runId: 'r', specText, specFile: 'nightly.yaml', spec: parseSpec(specText, 'nightly.yaml') };

/** The lines after why. */
function advice(reasons: string, field: SpecField | null): string[] {
  const line = `a: wrong at http://127.0.0.1:8000/v1: no. Do (${placeInSpec(manifest, 0, field)})`;
  const stateDetail = `${reasons}: 2 pages stopped, 0 failed\n  ${line}`;
  const options = { retry: undefined, strict: [], specPath: 'lab/nightly.yaml' };
  const text = howToContinue({ ...manifest, stateDetail } as unknown as Manifest, 'runs', options);
  return text.split('\n').slice(2);
}

const run = '  npx evenkeel run lab/nightly.yaml --run r --runs-dir runs';
const resume = '  npx evenkeel resume r --runs-dir runs';

// Red before: "Continue with: resume", which goes on with the spec that the run has, and is refused again.
test.each([
  ['model', ['model'], 'nightly.yaml:4:37 (models.0.model)'],
  ['parameter', ['parameters', 'seed'], 'nightly.yaml:4:5 (models.0.parameters.seed)'],
])('a %s that the endpoint refuses: first the spec, then run', (_what, path, at) => {
  expect(advice('model_stopped', { of: 'model', path })).toEqual([
    `First correct the spec at ${at}. Then continue with:`,
    run,
    'Only if the endpoint takes it by now with the spec as it is:',
    resume,
  ]);
});

// Red before: no word of the budget, as it was not the first reason.
test('a spent budget is named whatever else stopped the run', () => {
  const budget = ['First raise the budget:', '  npx evenkeel budget r --usd DOLLARS --runs-dir runs'];
  expect(advice('model_stopped, budget', null)).toEqual([...budget, 'Continue with:', resume]);
  expect(advice('model_stopped, budget', { of: 'model', path: ['model'] }).slice(0, 3)).toEqual([
    ...budget,
    'Also correct the spec at nightly.yaml:4:37 (models.0.model). Then continue with:',
  ]);
});

test.each([
  ['a key', { of: 'provider', path: ['apiKeyEnv'] }],
  ['an address', { of: 'provider', path: ['baseUrl'] }],
  ['an empty account', null],
] as const)('%s may be put right outside of the spec', (_what, field) => {
  expect(advice('model_stopped', field)).toEqual(['Continue with:', resume]);
});
