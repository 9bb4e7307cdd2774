/** The kinds of file that a person brings, each with a whole example and with what its reader demands. */
import { join } from 'node:path';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { checkRecording } from '../../activities/providers/replay.ts';
import { readRecording } from '../../cli/commands/exchange/import.ts';
import { evaloopImporter } from '../../studies/evaloop/results/importer.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import { importedKinds } from './imported-files.ts';
import type { Grammar, Json } from './json-mutations.ts';

export interface FileKind extends Grammar {
  readonly name: string;
  readonly extension: string;
  /** Throws InputError for a file that breaks a rule. */
  readonly read: (file: string) => Promise<unknown>;
}

const benchmark =
  (format: BenchmarkFormatName) =>
  (file: string): Promise<unknown> =>
    loadBenchmark({ name: 'b', format, path: file, seed: 1 });

const own = (number: number): Json => ({
  task_id: `Tiny/${number}`,
  prompt: 'Write a function to add two numbers.\n',
  entry_point: 'add',
  reference: 'def add(a, b):\n    return a + b\n',
  suites: {
    base: { inputs: [[1, 2]], expected: [3] },
    plus: {
      inputs: [
        [0, 0],
        [5, -5],
      ],
    },
  },
});

const humaneval = (number: number): Json => ({
  task_id: `HumanEval/${number}`,
  prompt: 'def add(a, b):\n    """Add two numbers."""\n',
  entry_point: 'add',
  canonical_solution: '    return a + b\n',
  test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
});

const mbpp = (number: number): Json => ({
  task_id: number,
  prompt: 'Write a function to add two numbers.',
  code: 'def add(a, b):\n    return a + b\n',
  test_imports: [],
  test_list: ['assert add(1, 2) == 3'],
});

const mbppPlus = (number: number): Json => ({
  task_id: `Mbpp/${number}`,
  prompt: '"""\nWrite a function to add two numbers.\nassert add(1, 2) == 3\n"""\n',
  entry_point: 'add',
  canonical_solution: 'def add(a, b):\n    return a + b\n',
  base_input: [[1, 2]],
  plus_input: [[0, 0]],
  atol: 0,
});

const mxeval = (number: number): Json => ({
  task_id: `MBJSP/${number}`,
  prompt: 'function add(a, b) {\n',
  entry_point: 'add',
  canonical_solution: null,
  test: 'const assert = require("assert")\nassert.equal(add(1, 2), 3)\n',
  language: 'javascript',
});

const three = (record: (number: number) => Json): readonly Json[] => [7_001, 7_002, 7_003].map(record);

const recorded = (loop: number): Json => ({
  reply: '```python\nx = 1\n```',
  task_id: 'MBPP/2',
  step: 'generate',
  loop,
  input_tokens: 5,
});

const spec: Json = {
  name: 'nightly',
  seed: 7,
  models: [{ id: 'a', provider: 'simulated', family: 'A' }],
  benchmarks: { b: { format: 'evenkeel', path: starterBenchmark, tasks: { limit: 3 } } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b', settings: { maxLoops: 3, judge: 'none' } }],
  budget: { usd: 5 },
};

const trajectories: Json = {
  'sustained 0': [
    { task_id: 'Mbpp/2', initial_prompt: '"""\nAdd.\nassert add(1, 2) == 3\n"""\n', cycles: [{ code_output: 'x' }] },
  ],
  'sustained 1': [{ task_id: 'Mbpp/3', cycles: [{ code_output: 'x', summary_output: 'y' }, { code_output: 'z' }] }],
};

const text = { task_id: 'string', prompt: 'string', entry_point: 'string' } as const;

export const fileKinds: readonly FileKind[] = [
  {
    name: 'benchmark in the format evenkeel',
    extension: 'jsonl',
    records: three(own),
    required: ['task_id', 'prompt', 'entry_point', 'reference', 'suites', 'suites.base.inputs'],
    typed: { ...text, reference: 'string', suites: 'object', 'suites.base.inputs': 'array' },
    closed: ['', 'suites.base'],
    unique: true,
    read: benchmark('evenkeel'),
  },
  {
    name: 'benchmark in the format humaneval',
    extension: 'jsonl',
    records: three(humaneval),
    required: ['task_id', 'prompt', 'entry_point', 'canonical_solution', 'test'],
    typed: { ...text, canonical_solution: 'string', test: 'string' },
    closed: [],
    unique: true,
    read: benchmark('humaneval'),
  },
  {
    name: 'benchmark in the format mbpp-sanitized',
    extension: 'jsonl',
    records: three(mbpp),
    required: ['task_id', 'prompt', 'code', 'test_list'],
    typed: { task_id: 'number', prompt: 'string', code: 'string', test_list: 'array' },
    closed: [],
    unique: true,
    read: benchmark('mbpp-sanitized'),
  },
  {
    name: 'benchmark in the format mbpp-plus',
    extension: 'jsonl',
    records: three(mbppPlus),
    required: ['task_id', 'prompt', 'entry_point', 'canonical_solution', 'base_input', 'atol'],
    typed: { ...text, canonical_solution: 'string', atol: 'number' },
    closed: [],
    unique: true,
    read: benchmark('mbpp-plus'),
  },
  {
    name: 'benchmark in the format mxeval',
    extension: 'jsonl',
    records: three(mxeval),
    required: ['task_id', 'prompt', 'entry_point', 'test', 'language'],
    typed: { ...text, test: 'string', language: 'string' },
    closed: [],
    unique: true,
    read: benchmark('mxeval'),
  },
  {
    name: 'recording',
    extension: 'jsonl',
    records: [1, 2, 3].map(recorded),
    required: ['reply'],
    typed: { reply: 'string', loop: 'number', task_id: 'string', step: 'string' },
    closed: [''],
    unique: true,
    read: checkRecording,
  },
  ...importedKinds,
  {
    name: 'trajectories',
    extension: 'json',
    records: [trajectories],
    required: ['sustained 0.0.task_id', 'sustained 1.0.cycles'],
    typed: { 'sustained 0': 'array', 'sustained 1.0.cycles': 'array' },
    closed: [],
    unique: false,
    read: (file) => readRecording(evaloopImporter, file),
  },
  {
    name: 'spec',
    extension: 'yaml',
    records: [spec],
    required: ['name', 'models', 'benchmarks', 'studies', 'studies.0.kind', 'models.0.id', 'benchmarks.b.path'],
    typed: { name: 'string', models: 'array', studies: 'array', 'studies.0.settings': 'object', seed: 'number' },
    closed: ['', 'models.0', 'benchmarks.b', 'studies.0', 'studies.0.settings', 'budget'],
    unique: false,
    read: readSpecFile,
  },
];

export const fileOf = (folder: string, { extension }: FileKind): string => join(folder, `malformed.${extension}`);
