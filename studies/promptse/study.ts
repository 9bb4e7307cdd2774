/**
 * PromptSE and PromptSELight: the original prompt and its variants, each sampled m times; they differ only in wording.
 */
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import { codeOf } from '../code-of.ts';
import type { At, CellState, Question } from '../cell-state.ts';
import type { Study } from '../study.ts';
import { promptParts } from '../variants/prompt-parts.ts';
import { renameable } from '../variants/renaming.ts';
import { promptseCalls } from './forecast.ts';
import { importedVariants } from './imported-set.ts';
import { promptsePageSteps } from './page.ts';
import { codeMessages, promptsePromptVersion } from './prompts.ts';
import { promptseRows } from './rows.ts';
import { templateVersion } from './templates.ts';
import { rewriteMessages } from './rewrite-prompt.ts';
import type { PromptseStudy } from './settings.ts';
import { settleByModel, styleOf, variantNames, variantsByRules } from './variant-plan.ts';

export const promptse: Study<PromptseStudy> = {
  kind: 'promptse',
  promptVersion: `${promptsePromptVersion}, ${templateVersion}`,
  roles: (study) => {
    const model = wordingModel(study);
    return model === null ? [] : [{ role: 'rewriter', model }];
  },
  cells: (study, tasks) => tasks.flatMap((task) => taskCells(study, task)),
  calls: (study) => promptseCalls(study, wordingModel(study)),
  question: (study, state, at) =>
    at.step === 'rewrite' ? rewriteQuestion(study, state, at) : question(study, state, at),
  usable: (study, state, { step }, answer) =>
    step === 'rewrite' || codeOf(study, state, answer, promptOf(state)).code !== null,
  extract: (study, state, { step }, answer) =>
    step === 'rewrite' ? undefined : codeOf(study, state, answer, promptOf(state)),
  pageSteps: promptsePageSteps,
  cellTables: ['prompt_scores', 'variants'],
  answers: {
    phrasing: `CASE WHEN variant = 'original' THEN variant ELSE concat_ws(' ', emotion, format('{:g}', distance)) END`,
  },
  rows: promptseRows,
  variants: {
    kind: 'style',
    parent: 'original',
    making: 'draws',
    templateVersion,
    identity,
    model: wordingModel,
    source: ({ settings }) => (settings.variantSet === undefined ? settings.rewriter : 'import'),
    byRules: ({ settings }, task) => variantsByRules(task, settings),
    names: ({ settings }) => variantNames(settings.variants),
    maxDraws: ({ settings }) => settings.maxDraws,
    settle: ({ settings }, task, answer) => settleByModel(task, settings, answer),
    imported: ({ settings }, task, lines) => importedVariants(task, settings, lines),
  },
};

function wordingModel({ settings: { rewriter, variantSet } }: PromptseStudy): string | null {
  return rewriter === 'rules' || variantSet !== undefined ? null : rewriter;
}

/** Everything except the task that the variants depend on. */
function identity({
  settings: { rewriter, rewriterTemperature, variantSet, seed, variants, draws, maxDraws, contexts, renameParameters },
}: PromptseStudy): unknown {
  const looser = renameParameters && { renameParameters };
  if (variantSet !== undefined) return { variantSet, variants, ...looser };
  const made = { templateVersion, rewriter, seed, variants, draws, maxDraws, ...(contexts && { contexts }), ...looser };
  return rewriter === 'rules' ? made : { ...made, rewriterTemperature };
}

/** The original with its redraws, and the variants by distance. */
function taskCells({ repetitions, settings }: PromptseStudy, { taskId, language }: Task): Cell[] {
  const cell = (variant: string, repetition: number): Cell => ({
    taskId,
    language,
    variant,
    setting: 'default',
    repetition,
  });
  const originals = Array.from({ length: repetitions }, (_, repetition) => cell('original', repetition));
  const variants = variantNames(settings.variants).map((variant) => cell(variant, 0));
  return [...originals, ...variants];
}

function question({ settings }: PromptseStudy, state: CellState, at: At): Question {
  const { temperature, topP, maxTokens, logprobs } = settings;
  return {
    asked: 'study',
    messages: codeMessages(promptOf(state), state.task.language),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(logprobs ? { logprobs } : {}),
      ...(temperature ? { seed: sampleSeed(settings.seed, state.cell, at) } : {}),
    },
    parent: null,
  };
}

/** Asks the rewriter for one variant; each draw has a different seed. */
function rewriteQuestion({ settings }: PromptseStudy, { cell, task }: CellState, { ask }: At): Question {
  const { rewriter, rewriterTemperature: temperature, seed, renameParameters } = settings;
  const mayRename = renameParameters ? renameable(task.prompt, task.entryPoint) : [];
  return {
    asked: { role: 'rewriter', model: rewriter },
    messages: rewriteMessages(
      promptParts(task.prompt, task.entryPoint),
      styleOf(task.taskId, settings, cell.variant),
      mayRename,
    ),
    parameters: {
      ...(temperature === null ? {} : { temperature, seed: seedOf('rewrite', seed, task.taskId, cell.variant, ask) }),
      maxTokens: 2048,
    },
    parent: null,
  };
}

/** Fixed per prompt, distance and sample, and the same for every model. */
const sampleSeed = (seed: number, { taskId, variant, repetition }: Cell, { sample }: At): number =>
  seedOf('promptse', seed, taskId, variant, repetition, sample);

function promptOf({ cell, task, variant }: CellState): string {
  if (cell.variant === 'original') return task.prompt;
  if (variant?.prompt == null) throw new Error(`${task.taskId} has no variant ${cell.variant}, so it cannot be asked`);
  return variant.prompt;
}
