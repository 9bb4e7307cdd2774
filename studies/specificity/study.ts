/** PartialOrderEval: asks each task with prompts from a bare signature to a full description. */
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import type { Answer, At, CellState, Question } from '../cell-state.ts';
import type { Study } from '../study.ts';
import { codeIn } from './answer-code.ts';
import { specificityCalls } from './forecast.ts';
import { specificityPageSteps } from './page.ts';
import { framed, promptFrame } from './frame.ts';
import { importedPoset } from './imported-set.ts';
import { specificityLabels, summaryText } from './labelled.ts';
import { labelRows, labelRuns, themesOf } from './labels.ts';
import { draftNumber, draftOf, frameOf, maximalOf, setOf, summaryIn } from './make-set.ts';
import { codeMessages, labelMessages, summarizeMessages, writeMessages } from './prompts.ts';
import { orderRows, specificityRows } from './rows.ts';
import {
  makingModel,
  makingSetting,
  positionOf,
  positionsOf,
  rolesOf,
  setIdentity,
  type SpecificityStudy,
  taxonomyOf,
  templateVersion,
} from './settings.ts';

export const specificity: Study<SpecificityStudy> = {
  kind: 'specificity',
  promptVersion: templateVersion,
  roles: ({ settings }) => {
    const { secondLabeller, ...roles } = rolesOf(settings);
    const named = [...Object.entries(roles), ['labeller', secondLabeller] as const];
    return named.flatMap(([role, model]) => (model === null ? [] : [{ role, model }]));
  },
  lacks,
  cells: (study, tasks) => tasks.flatMap((task) => taskCells(study, task)),
  calls: specificityCalls,
  // A summary is made from the first draft whose check passed.
  asksByVerdicts: true,
  question: (study, state, at) =>
    isMaking(state) ? makingQuestion(study, state, at) : codeQuestion(study, state, promptOf(state), 'study'),
  usable: (study, state, at, answer) =>
    isMaking(state) ? isUsable(study, state, at, answer) : codeIn(study, state, answer).code !== null,
  extract: (study, state, { step }, answer) => (step === 'generate' ? codeIn(study, state, answer) : undefined),
  pageSteps: specificityPageSteps,
  cellTables: ['prompt_passes', 'variants'],
  answers: { detail: `concat_ws(' ', augmentation, format('{:g}', level))`, counts: 'reason IS NULL' },
  rows: specificityRows,
  labels: specificityLabels,
  variants: {
    kind: 'detail',
    parent: 'maximal',
    making: 'poset',
    templateVersion,
    cellSetting: makingSetting,
    identity: setIdentity,
    model: makingModel,
    models: ({ settings }) => {
      const { writer, summarizer, checker } = rolesOf(settings);
      return [writer, summarizer, checker].filter((model) => model !== null);
    },
    source: (study) => sourceOf(study),
    byRules: ({ settings }, task) => setOf(settings, task, () => noAnswers),
    names: ({ settings }) => positionsOf(settings).map(({ variant }) => variant),
    maxDraws: ({ settings }) => settings.maxDraws,
    imported: ({ settings }, task, lines) => importedPoset(settings, task, lines),
    orderRows,
    makingRows: ({ settings }, page) => ({ labels: labelRows(settings, page) }),
  },
};

function lacks(task: Task): string | null {
  if (promptFrame(task) !== null) return null;
  return task.language === 'python' || task.language === 'cpp'
    ? 'a description and a signature'
    : 'tasks in Python or C++';
}

const noAnswers = { answer: () => undefined, outcomes: () => undefined };

/** The source of a prompt set, for table `variants`: `rules`, `import` or model ids. */
function sourceOf(study: SpecificityStudy): string {
  const { writer, summarizer, variantSet } = study.settings;
  const source = variantSet === undefined ? [...new Set([writer, summarizer])].join(', ') : 'import';
  const { checker, labeller } = rolesOf(study.settings);
  if (checker !== null) return `${source}; checked by ${checker}`;
  return makingModel(study) === null || !['rules', 'import'].includes(source)
    ? source
    : `${source}; labelled by ${labeller}`;
}

function taskCells({ repetitions, settings }: SpecificityStudy, { taskId, language }: Task): Cell[] {
  return positionsOf(settings).flatMap(({ variant }) =>
    Array.from({ length: repetitions }, (_, repetition) => ({
      taskId,
      language,
      variant,
      setting: 'default',
      repetition,
    })),
  );
}

const isMaking = ({ cell }: CellState): boolean => cell.setting === makingSetting;

function promptOf({ cell, task, variant }: CellState): string {
  if (cell.variant === 'original') return frameOf(task).original;
  if (variant?.prompt == null) throw new Error(`${task.taskId} has no prompt ${cell.variant}, so it cannot be asked`);
  return variant.prompt;
}

/** The question for models under study, and for the checker. */
function codeQuestion(
  { settings }: SpecificityStudy,
  { task, cell }: CellState,
  prompt: string,
  asked: Question['asked'],
): Question {
  const { temperature, topP, maxTokens, seed } = settings;
  return {
    asked,
    messages: codeMessages(prompt, task),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature ? { seed: seedOf('specificity', seed, task.taskId, cell.variant, cell.repetition) } : {}),
    },
    parent: null,
  };
}

function makingQuestion(study: SpecificityStudy, state: CellState, at: At): Question {
  const { settings } = study;
  const { task, cell } = state;
  const roles = rolesOf(settings);
  if (at.step === 'write') {
    const messages = writeMessages(frameOf(task).original, task.reference);
    return {
      asked: { role: 'writer', model: roles.writer ?? '' },
      messages,
      parameters: sampled(study, state, at, 2048),
      parent: null,
    };
  }
  if (at.step === 'generate') {
    const draft = draftNumber(settings, task, state, at.loop);
    if (draft?.text == null)
      throw new Error(`${task.taskId} has no draft ${at.loop} of its maximal prompt to be solved from`);
    const parent = roles.writer === null ? null : { ...at, step: 'write' as const };
    return {
      ...codeQuestion(study, state, framed(frameOf(task), draft.text), { role: 'checker', model: roles.checker ?? '' }),
      parent,
    };
  }
  if (at.step === 'summarize') {
    const maximal = maximalTextOf(study, state);
    const messages = summarizeMessages(maximal, positionOf(settings, cell.variant).level ?? 0);
    return {
      asked: { role: 'summarizer', model: roles.summarizer ?? '' },
      messages,
      parameters: sampled(study, state, at, 1024),
      parent: null,
    };
  }
  const run = labelRuns(settings)[at.loop - 1];
  const description = describedWords(state);
  return {
    asked: { role: 'labeller', model: run?.labeller ?? '' },
    messages: labelMessages(description, taxonomyOf(settings)),
    // Decoding is the model's default; only the seed differs between passes.
    parameters: {
      maxTokens: 512,
      seed: seedOf('specificity', settings.seed, 'label', task.taskId, cell.variant, at.loop, at.ask),
    },
    parent: null,
  };
}

/** Parameters of writer and summarizer; every draft and every question has a different seed. */
function sampled(
  { settings }: SpecificityStudy,
  { task, cell }: CellState,
  at: At,
  maxTokens: number,
): Question['parameters'] {
  const temperature = at.step === 'write' ? settings.writerTemperature : settings.summarizerTemperature;
  const seed = seedOf('specificity', settings.seed, at.step, task.taskId, cell.variant, at.loop, at.ask);
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(settings.roleTopP === null ? {} : { topP: settings.roleTopP }),
    ...(temperature ? { seed } : {}),
    maxTokens,
  };
}

/** The maximal description from which the task's summaries are made. */
function maximalTextOf({ settings }: SpecificityStudy, state: CellState): string {
  const { text } = maximalOf(settings, state.task, state.sibling('maximal'));
  if (text === null) throw new Error(`${state.task.taskId} has no maximal prompt to summarize`);
  return text;
}

function describedWords({ task, cell, variant }: CellState): string {
  if (variant?.prompt == null) throw new Error(`${task.taskId} has no prompt ${cell.variant} to label`);
  return summaryText(task, variant.prompt);
}

function isUsable(study: SpecificityStudy, state: CellState, at: At, answer: Answer): boolean {
  const { settings } = study;
  if (at.step === 'write') return draftOf(state.task, answer).fault === null;
  if (at.step === 'generate') return codeIn(study, state, answer).code !== null;
  if (at.step === 'label') return themesOf(settings, answer) !== null;
  return (
    (summaryIn(state.task, answer)?.words ?? Number.POSITIVE_INFINITY) <=
    (positionOf(settings, state.cell.variant).level ?? 0)
  );
}
