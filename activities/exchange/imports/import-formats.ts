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
  inspect: {
    about: 'Inspect: a log, .eval or .json, with the scores',
    holds: ['reply'],
    load: async () => (await import('./inspect.ts')).readInspect,
  },
  csv: {
    about:
      'CSV with a header: task_id and one of reply, completion, solution; also sample, model, passed, passed_SUITE',
    holds: ['reply', 'continuation', 'program'],
    load: async () => (await import('./csv.ts')).readCsv,
  },
  bigcode: {
    about: 'bigcode-evaluation-harness: generations.json; needs --benchmark, whose order gives the tasks',
    holds: ['program'],
    load: async () => (await import('./bigcode.ts')).readBigcode,
  },
  livecodebench: {
    about: 'LiveCodeBench: outputs of code generation, ..._eval_all.json with verdicts, or custom outputs',
    holds: ['program', 'reply'],
    load: async () => (await import('./livecodebench.ts')).readLiveCodeBench,
  },
  bigcodebench: {
    about: 'BigCodeBench: samples.jsonl, or ..._eval_results.json with verdicts',
    holds: ['program', 'continuation'],
    load: async () => (await import('./bigcodebench.ts')).readBigCodeBench,
  },
  promptfoo: {
    about: 'promptfoo: the JSON output; the variable task_id names the task, --model the provider',
    holds: ['reply'],
    load: async () => (await import('./promptfoo.ts')).readPromptfoo,
  },
} as const satisfies Record<string, ImportFormat>;

export type ImportFormatName = keyof typeof importFormats;
export const isImportFormat = (name: string): name is ImportFormatName => Object.hasOwn(importFormats, name);
