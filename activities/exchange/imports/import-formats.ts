/** The formats of other tools that can be imported, one entry each. */
import type { ImportFormat } from './import-format.ts';

export const importFormats = {
  samples: {
    about: 'lines of task_id with completion or solution, taken as replies',
    holds: ['reply'],
    load: async () => (await import('./samples.ts')).readSamples,
  },
  'human-eval': {
    about: 'OpenAI human-eval: samples.jsonl, or samples.jsonl_results.jsonl with its verdicts',
    holds: ['continuation'],
    load: async () => (await import('./human-eval.ts')).readHumanEval,
  },
  evalplus: {
    about: 'EvalPlus: samples.jsonl, a folder of samples, or eval_results.json with its verdicts',
    holds: ['program', 'continuation'],
    load: async () => (await import('./evalplus.ts')).readEvalplus,
  },
} as const satisfies Record<string, ImportFormat>;

export type ImportFormatName = keyof typeof importFormats;
export const isImportFormat = (name: string): name is ImportFormatName => Object.hasOwn(importFormats, name);
