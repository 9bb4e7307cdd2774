/** Files of other tools that a person brings to be imported. */
import { importedLines } from '../../activities/exchange/imports/as-replay.ts';
import { type ImportFormatName, importFormats } from '../../activities/exchange/imports/import-formats.ts';
import type { FileKind } from './files.ts';

const importing = (format: ImportFormatName): Pick<FileKind, 'name' | 'closed' | 'unique' | 'read'> => ({
  ...{ name: `file of ${format}`, closed: [], unique: false },
  read: async (path) =>
    importedLines(await importFormats[format].load(), { path, columns: new Map(), tasks: null }, null),
});

const output = { model: 'm', choices: [{ message: { role: 'assistant', content: 'x' }, stop_reason: 'stop' }] };

export const importedKinds: readonly FileKind[] = [
  {
    ...importing('samples'),
    extension: 'jsonl',
    records: [1, 2, 3].map((number) => ({ task_id: `HumanEval/${number}`, completion: '    return 1\n' })),
    required: ['task_id', 'completion'],
    typed: { task_id: 'string', completion: 'string' },
  },
  {
    ...importing('evalplus'),
    extension: 'json',
    records: [{ date: '2024', eval: { T1: [{ solution: 'x', base_status: 'pass', plus_status: 'fail' }] } }],
    required: ['eval', 'eval.T1.0.solution'],
    typed: { eval: 'object', 'eval.T1': 'array', 'eval.T1.0.solution': 'string', 'eval.T1.0.base_status': 'string' },
  },
  {
    ...importing('inspect'),
    extension: 'json',
    records: [{ version: 2, status: 'success', eval: { model: 'm' }, samples: [{ id: 'T/1', epoch: 1, output }] }],
    required: ['version', 'eval', 'eval.model', 'samples.0.id', 'samples.0.epoch', 'samples.0.output'],
    typed: { 'eval.model': 'string', samples: 'array', 'samples.0.epoch': 'number', 'samples.0.output': 'object' },
  },
  {
    ...importing('livecodebench'),
    extension: 'json',
    records: [[{ question_id: 'q', code_list: ['x', 'y'], graded_list: [true, false] }]],
    required: ['0.question_id', '0.code_list'],
    typed: { '0.code_list': 'array', '0.code_list.1': 'string', '0.graded_list': 'array' },
  },
  {
    ...importing('promptfoo'),
    extension: 'json',
    records: [
      {
        results: {
          version: 3,
          results: [{ vars: { task_id: 'T/1' }, provider: { id: 'p' }, success: true, response: { output: 'x' } }],
        },
      },
    ],
    required: ['results', 'results.version', 'results.results', 'results.results.0.success'],
    typed: { 'results.results': 'array', 'results.results.0.success': 'boolean', 'results.version': 'number' },
  },
];
