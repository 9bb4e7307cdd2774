/** Key columns shared by the tables of every study. */
import { type Column, text, int } from './column.ts';

/** The cell key K: one cell is one task under one model, variant, setting and repetition. */
export const cellKey = {
  run: text('Run id.'),
  study: text('Study name in the spec.'),
  model: text('The model under study, by its id in the spec.'),
  benchmark: text('Benchmark name in the spec.'),
  task_id: text('Canonical task id, e.g. MBPP/2.'),
  language: text('Programming language of the answer.'),
  variant: text('Prompt variant; "original" is the unchanged prompt.'),
  setting: text('Setting of the study; "default" if it has only one.'),
  repetition: int('Repetition of the whole cell, from 0.'),
} as const satisfies Record<string, Column>;

export const cellKeyNames = Object.keys(cellKey);

export const sampleKey = {
  loop: int('Loop within the study, from 1; 1 for studies without loops.'),
  step: text('Kind of question: generate, summarize, judge, ...'),
  sample: int('Index of the draw, from 0.'),
} as const satisfies Record<string, Column>;

/** Key of tables with one row per model and study. */
export const studyModel = { run: cellKey.run, study: cellKey.study, model: cellKey.model } as const;
export const studyModelNames = Object.keys(studyModel);
