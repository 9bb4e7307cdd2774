/** Plain pass@k: n samples of every task under each temperature, in independent repetitions. */
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import type { At, CellState, Question } from '../cell-state.ts';
import { codeOf } from '../code-of.ts';
import { exactly } from '../forecast.ts';
import { codeMessages, promptsePromptVersion } from '../promptse/prompts.ts';
import type { Study } from '../study.ts';
import { passPageSteps } from './page.ts';
import { passRows } from './rows.ts';
import { type PassStudy, settingName, temperatureOf } from './settings.ts';

export const pass: Study<PassStudy> = {
  kind: 'pass',
  // PromptSE's question about an original prompt, so that this is its plain baseline.
  promptVersion: promptsePromptVersion,
  roles: () => [],
  settingNames: ({ settings }) => settings.temperatures.map(settingName),
  settingFacts: (study, setting) => ({ temperature: temperatureOf(study, setting) }),
  cells: (study, tasks) => tasks.flatMap((task) => cellsOf(study, task)),
  calls: ({ settings: { samples, maxTokens } }) => [
    {
      ...{ step: 'generate', asked: 'study', answer: 'program', maxTokens, logprobs: false },
      ...{ calls: exactly(samples), draws: samples, inSeries: exactly(1) },
      messages: ({ prompt, language }) => codeMessages(prompt, language),
    },
  ],
  question,
  usable: (study, state, _at, answer) => codeOf(study, state, answer).code !== null,
  extract: (study, state, _at, answer) => codeOf(study, state, answer),
  pageSteps: passPageSteps,
  cellTables: ['pass_counts'],
  rows: passRows,
};

const cellsOf = ({ repetitions, settings }: PassStudy, { taskId, language }: Task): Cell[] =>
  settings.temperatures.map(settingName).flatMap((setting) =>
    Array.from({ length: repetitions }, (_, repetition) => {
      return { taskId, language, variant: 'original', setting, repetition };
    }),
  );

function question(study: PassStudy, { cell, task }: CellState, { sample }: At): Question {
  const { topP, maxTokens } = study.settings;
  const { taskId, setting, repetition } = cell;
  const temperature = temperatureOf(study, setting);
  return {
    asked: 'study',
    messages: codeMessages(task.prompt, task.language),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature ? { seed: seedOf(study.name, taskId, setting, repetition, sample) } : {}),
    },
    // A model may override the temperature: settings with equal requests are still asked independently.
    draw: setting,
    parent: null,
  };
}
