/**
 * The formats in which a run can be exported, one entry each. Readers of evenkeel's own formats are elsewhere, with the
 * code that uses the files.
 */
import type { ExportFormat } from './exports/export-format.ts';

export const exportFormats = {
  replay: {
    about: 'answers, for models with provider: replay',
    kind: 'replies',
    load: async () => (await import('./export-replay.ts')).replayLines,
    whenEmpty: 'the run has no answers yet',
  },
  variants: {
    about: 'prompt variants, for the setting variantSet',
    kind: 'replies',
    load: async () => (await import('./export-variants.ts')).variantLines,
    whenEmpty: 'no study of the run has prompt variants, or none are written yet',
  },
  'label-sample': {
    about: 'a sample of prompts for a person to label, for agree',
    kind: 'replies',
    load: async () => (await import('../labels/sample.ts')).labelSampleLines,
    whenEmpty: 'only specificity studies have prompts to label, and the run has none, or none with variants yet',
  },
  inspect: {
    about: 'a log of Inspect, .eval: one study and model',
    kind: 'file',
    needs: ['prompts', 'replies'],
    load: async () => (await import('./exports/inspect.ts')).inspectArchive,
  },
  evalplus: {
    about: 'samples of EvalPlus, .jsonl: one study and model',
    kind: 'text',
    needs: ['replies'],
    load: async () => (await import('./exports/evalplus.ts')).evalplusSamples,
  },
  'evalplus-results': {
    about: 'eval_results.json of EvalPlus, with a status on base and plus: one study and model',
    kind: 'text',
    needs: ['replies'],
    load: async () => (await import('./exports/evalplus.ts')).evalplusResults,
  },
  'every-eval-ever': {
    about: 'every_eval_ever 0.3: its folder data/ with an aggregate and the answers of one study and model',
    kind: 'folder',
    needs: ['prompts', 'replies'],
    load: async () => (await import('./exports/every-eval-ever.ts')).everyEvalEver,
  },
  csv: {
    about: 'judged answers, in the columns of import --format csv',
    kind: 'text',
    needs: ['replies'],
    load: async () => (await import('./exports/csv.ts')).csvText,
  },
  parquet: {
    about: 'the flat table answers as one file',
    kind: 'file',
    needs: ['replies'],
    load: async () => (await import('./exports/parquet.ts')).parquetFile,
  },
  junit: {
    about: 'JUnit XML, for CI: a test per judged answer',
    kind: 'text',
    load: async () => (await import('./exports/junit.ts')).junitText,
  },
  latex: {
    about: 'the tables of the report',
    kind: 'text',
    load: async () => (await import('./exports/latex.ts')).latexText,
  },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof exportFormats;
export const isExportFormat = (name: string): name is ExportFormatName => Object.hasOwn(exportFormats, name);
