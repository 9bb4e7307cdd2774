/**
 * The translation chain (EVALOOP, section 5): code is translated from language to language, and each translation is
 * tested in its language.
 */
import mbppPlus from '../../data/evaloop/mbpp-plus-tasks.json' with { type: 'json' };
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import { codeFor } from '../code-of.ts';
import type { At, CellState, Question } from '../cell-state.ts';
import type { Study } from '../study.ts';
import { chainCalls } from './forecast.ts';
import { chainPageSteps } from './page.ts';
import { chainPromptVersion, signatureOf, startCode, translationMessages } from './prompts.ts';
import { chainRows } from './rows.ts';
import { type ChainStudy, hasPassed, taskAt, translated } from './steps.ts';

export const chain: Study<ChainStudy> = {
  kind: 'evaloop-translation',
  workflow: 'chain',
  promptVersion: chainPromptVersion,
  roles: () => [],
  cells,
  settingFacts: ({ settings }) => ({ max_loops: settings.through.length }),
  calls: chainCalls,
  taskAt: (study, state, { loop }) => taskAt(study, state, loop),
  question,
  leadsTo: ({ settings }, state, { loop }) => settings.scoring === 'squares' && hasPassed(state, loop - 1),
  usable: (study, state, { loop }, answer) => codeFor(study, taskAt(study, state, loop), answer).code !== null,
  extract: (study, state, { loop }, answer) => codeFor(study, taskAt(study, state, loop), answer),
  pageSteps: chainPageSteps,
  cellTables: ['chains'],
  answers: { counts: `ended_by <> 'start_failed'` },
  rows: chainRows,
};

/** One cell per repetition for each task that every benchmark of the chain has. */
function cells(
  { repetitions, settings }: ChainStudy,
  tasks: readonly Task[],
  tasksOf: (benchmark: string) => readonly Task[],
): Cell[] {
  const known = settings.through.map((benchmark) => new Set(tasksOf(benchmark).map(({ taskId }) => taskId)));
  const counted = settings.tasks === 'mbpp-plus' ? new Set(mbppPlus.tasks.map((number) => `MBPP/${number}`)) : null;
  return tasks
    .filter(({ taskId }) => known.every((ids) => ids.has(taskId)) && (counted?.has(taskId) ?? true))
    .flatMap(({ taskId, language }) =>
      Array.from({ length: repetitions }, (_, repetition) => ({
        taskId,
        language,
        variant: 'original',
        setting: 'default',
        repetition,
      })),
    );
}

function question(study: ChainStudy, state: CellState, { loop }: At): Question {
  const { temperature, topP, maxTokens, signature } = study.settings;
  const [source, target] = [taskAt(study, state, loop - 1), taskAt(study, state, loop)];
  const { taskId, repetition } = state.cell;
  return {
    asked: 'study',
    messages: translationMessages({
      from: source.language,
      to: target.language,
      code: codeBefore(study, state, loop),
      signature: signature ? signatureOf(target) : null,
    }),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature ? { seed: seedOf(study.name, taskId, repetition, loop) } : {}),
    },
    parent: loop === 1 ? null : translated(loop - 1),
  };
}

/** The code that step `loop` translates: the reference, or the result of the step before. */
function codeBefore(study: ChainStudy, state: CellState, loop: number): string {
  if (loop === 1) return startCode(state.task);
  const answer = state.answer(translated(loop - 1));
  const code = answer && codeFor(study, taskAt(study, state, loop - 1), answer).code;
  if (!code)
    throw new Error(
      `${state.task.taskId} has no code after step ${loop - 1}, so step ${loop} has nothing to translate`,
    );
  return code;
}
