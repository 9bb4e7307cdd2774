import { expect, test } from 'vitest';
import { callKey } from '../../../activities/calls/call-key.ts';
import { chatRequest } from '../../../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../../../domain/ids.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Cell } from '../../../schemas/plan.ts';
import type { Task } from '../../../schemas/task.ts';
import type { At, CellState } from '../../../studies/cell-state.ts';
import { passRules } from '../../../studies/pass/rules.ts';
import { ksOf, type PassStudy } from '../../../studies/pass/settings.ts';
import { pass } from '../../../studies/pass/study.ts';

const studyWith = (settings: string, more = ''): PassStudy => {
  const spec = parseSpec(
    `name: x
models: [{ id: a, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: plain, kind: pass, benchmark: b, settings: ${settings}${more} }]
`,
    'x.yaml',
  );
  return spec.studies[0] as PassStudy;
};
const task: Task = {
  ...{ taskId: 'T/1', sourceTaskId: 'T/1', language: 'python', prompt: 'Add one.', entryPoint: 'add' },
  ...{ reference: '', suites: [], recordSha256: '' },
};

const stateOf = (cell: Cell): CellState => ({
  ...{ cell, task, variant: null, answer: () => undefined, outcomes: () => undefined },
  taskIn: () => task,
  sibling: () => stateOf(cell),
});

/** The keys of all calls of a study to one model. */
function keysOf(study: PassStudy, overrides: Readonly<Record<string, number | null>> = {}): string[] {
  return pass
    .cells(study, [task], () => [])
    .flatMap((cell) =>
      Array.from({ length: study.settings.samples }, (_, sample) => {
        const at: At = { step: 'generate', loop: 1, ask: 0, sample };
        const { messages, parameters, draw } = pass.question(study, stateOf(cell), at);
        const request = sha256(canonicalJson(chatRequest('m', messages, parameters, overrides)));
        return callKey('endpoint', request, at, cell.repetition, draw);
      }),
    );
}

test('a task has a cell for each temperature and repetition, and each sample of each is a call of its own', () => {
  const study = studyWith('{ samples: 3, temperatures: [0, 0.8, null] }', ', repetitions: 2');
  const cells = pass.cells(study, [task], () => []);
  expect(cells.map(({ setting, repetition }) => `${setting} ${repetition}`)).toEqual([
    ...['temperature_0 0', 'temperature_0 1', 'temperature_0.8 0', 'temperature_0.8 1', 'default 0', 'default 1'],
  ]);
  expect(new Set(keysOf(study)).size).toBe(2 * 3 * 3);
});

test('temperatures that a model overrides are still asked independently', () => {
  const study = studyWith('{ samples: 2, temperatures: [0.2, 0.8] }');
  expect(new Set(keysOf(study, { temperature: 1, seed: null })).size).toBe(4);
});

test('growing samples, temperatures or repetitions keeps the calls that were made', () => {
  const small = keysOf(studyWith('{ samples: 2, temperatures: [0.2] }'));
  const large = new Set(keysOf(studyWith('{ samples: 3, temperatures: [0.8, 0.2] }', ', repetitions: 2')));
  expect(small.filter((key) => !large.has(key))).toEqual([]);
});

test('the values of k are the usual ones up to n, or those of the spec in order', () => {
  expect(ksOf(studyWith('{ samples: 4 }').settings)).toEqual([1]);
  expect(ksOf(studyWith('{ samples: 10 }').settings)).toEqual([1, 5, 10]);
  expect(ksOf(studyWith('{ samples: 10, ks: [3, 2] }').settings)).toEqual([2, 3]);
});

test('a k above n, and what is named twice, are faults with their place', () => {
  const faults = (settings: string) => passRules.faults?.(studyWith(settings), {} as never);
  expect(faults('{ samples: 5, ks: [1, 5] }')).toEqual([]);
  expect(faults('{ samples: 5, ks: [1, 6] }')).toEqual([
    { path: ['settings', 'ks', 1], rule: 'must be at most samples (5), got 6' },
  ]);
  expect(faults('{ temperatures: [0.2, 0.2] }')).toEqual([
    { path: ['settings', 'temperatures', 1], rule: 'duplicate 0.2; remove one' },
  ]);
});

test('a run can be extended by samples with further ks and by temperatures, and loses none', () => {
  const lost = (old: string, now: string) => passRules.lost?.(studyWith(old), studyWith(now));
  expect(lost('{ samples: 5, temperatures: [0.2] }', '{ samples: 10, temperatures: [0.2, 0.8] }')).toEqual([]);
  expect(lost('{ temperatures: [0.2, 0.8] }', '{ temperatures: [0.8] }')).toEqual([
    'temperature 0.2 is no longer in the spec',
  ]);
  expect(lost('{ samples: 5, ks: [1] }', '{ samples: 5, ks: [1, 5] }')).toEqual([
    'ks 1 in the run, 1, 5 in the spec; they may change only if samples grows',
  ]);
});
