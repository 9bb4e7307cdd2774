/** EVALOOP (generate, test, summarize, repeat): the question of each step and the use of its answer. */
import { withoutOuterSpace } from '../../domain/extraction/outer-space.ts';
import { similarityScore } from '../../domain/extraction/similarity-score.ts';
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import { codeOf } from '../code-of.ts';
import type { Answer, At, CellState, Question } from '../cell-state.ts';
import type { SettingFacts, Study } from '../study.ts';
import { attackVariantNames, attackVariants, attackVersion } from './attacks/variants.ts';
import { attackSettings, taskCells } from './cells.ts';
import { evaloopCalls } from './forecast.ts';
import { evaloopPageSteps } from './page.ts';
import { judgementsOf, judgePanel } from './judges.ts';
import { loopSetting, loopSettings } from './loop-settings.ts';
import { dualPairs } from './pairs/index.ts';
import {
  assertLine,
  codePrompt,
  conversation,
  evaloopPromptVersion,
  judgeDecoding,
  judgePrompt,
  nextDescription,
} from './prompts.ts';
import { evaloopRows } from './rows.ts';
import { at, isDrafted, wordsOf } from './steps.ts';
import type { EvaloopStudy } from './settings.ts';
import { summaryPrompts } from './summary-prompts.ts';

export const evaloop: Study<EvaloopStudy> = {
  kind: 'evaloop',
  promptVersion: evaloopPromptVersion,
  roles: ({ settings }) => judgePanel(settings).models.map((model) => ({ role: 'judge', model })),
  lacks: ({ prompt }) =>
    assertLine(prompt).startsWith('assert ') ? null : "an assert in the prompt's second-to-last line",
  cells: (study, tasks) => tasks.flatMap((task) => taskCells(study, task)),
  settingNames: ({ settings }) => loopSettings(settings).map(({ name }) => name),
  settingFacts,
  calls: evaloopCalls,
  leadsTo,
  question,
  usable: (study, state, where, answer) => usable(study, state, where, answer),
  extract: (study, state, where, answer) => (where.step === 'generate' ? codeOf(study, state, answer) : undefined),
  pageSteps: evaloopPageSteps,
  cellTables: ['loops'],
  answers: {
    from: 'loops LEFT JOIN variants USING (run, study, benchmark, task_id, language, variant)',
    phrasing: 'coalesce(attack, variant)',
  },
  rows: evaloopRows,
  variants: {
    kind: 'attack',
    parent: 'original',
    templateVersion: attackVersion,
    identity: ({ settings }) => ({ attackVersion, ...attackSettings(settings) }),
    model: () => null,
    source: () => 'rules',
    byRules: ({ settings }, task) => attackVariants(task, attackSettings(settings)),
    names: ({ settings }) => attackVariantNames(attackSettings(settings)),
    maxDraws: () => 1,
    settle: ({ settings }, task) => attackVariants(task, attackSettings(settings)),
  },
};

function settingFacts(study: EvaloopStudy, name: string): SettingFacts {
  const { settings } = study;
  const { temperature, summaryPrompt } = loopSetting(study, name);
  return {
    temperature: temperature ?? settings.temperature,
    max_loops: settings.maxLoops,
    judges: judgePanel(settings),
    summary_prompt: settings.pair === 'summary' ? summaryPrompt : null,
    pair: settings.pair,
  };
}

/** A judge is only asked by a run; a draft without words leads to no code. */
function leadsTo(study: EvaloopStudy, state: CellState, { step, loop }: At): boolean {
  if (step !== 'generate' || !isDrafted(study)) return step !== 'judge';
  const draft = state.answer(at('draft', loop));
  return draft !== undefined && wordsOf(study, draft) !== null;
}

function question(study: EvaloopStudy, state: CellState, where: At): Question {
  const { loop } = where;
  const { draft } = dualPairs[study.settings.pair];
  if (where.step === 'draft' && draft)
    return ask(study, state, where, draft(description(study, state, loop)), descriptionParent(loop));
  if (where.step === 'generate') return codeQuestion(study, state, where);
  if (where.step === 'summarize') return describeQuestion(study, state, where);
  return judgeQuestion(study, state, where);
}

/**
 * Built from the draft if there is one, else from the description. The benchmark's own description is asked
 * with the paper's prompt.
 */
function codeQuestion(study: EvaloopStudy, state: CellState, where: At): Question {
  const { loop } = where;
  const { code: codeFrom } = dualPairs[study.settings.pair];
  if (isDrafted(study))
    return ask(
      study,
      state,
      where,
      codeFrom(nextDescription(draftOf(study, state, loop), state.task.prompt)),
      at('draft', loop),
    );
  return ask(
    study,
    state,
    where,
    (loop === 1 ? codePrompt : codeFrom)(description(study, state, loop)),
    descriptionParent(loop),
  );
}

function describeQuestion(study: EvaloopStudy, state: CellState, where: At): Question {
  const { loop } = where;
  const { pair } = study.settings;
  if (isDrafted(study))
    return ask(study, state, where, dualPairs[pair].describe(draftOf(study, state, loop)), at('draft', loop));
  const { summaryPrompt } = loopSetting(study, state.cell.setting);
  const describe = pair === 'summary' ? summaryPrompts[summaryPrompt] : dualPairs[pair].describe;
  return ask(study, state, where, describe(code(study, state, loop)), at('generate', loop));
}

const descriptionParent = (loop: number): At | null => (loop === 1 ? null : at('summarize', loop - 1));

function ask(study: EvaloopStudy, state: CellState, where: At, text: string, parent: At | null): Question {
  const { topP, maxTokens } = study.settings;
  const temperature = loopSetting(study, state.cell.setting).temperature ?? study.settings.temperature;
  return {
    asked: 'study',
    messages: conversation(text),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature ? { seed: seedOf(...drawNames(study, state, where)) } : {}),
    },
    ...drawOf(state),
    parent,
  };
}

/** The inputs of a draw's seed. The names of the default setting and the unchanged prompt are omitted. */
function drawNames({ name }: EvaloopStudy, { cell }: CellState, where: At): (string | number)[] {
  const { taskId, repetition, variant, setting } = cell;
  return [name, taskId, repetition, where.step, where.loop, ...(isChanged(cell) ? [variant, setting] : [])];
}

/**
 * A cell under an attack or another setting is asked independently from the start, even if its prompts are equal.
 */
const drawOf = ({ cell }: CellState): Pick<Question, 'draw'> =>
  isChanged(cell) ? { draw: `${cell.variant}/${cell.setting}` } : {};

const isChanged = ({ variant, setting }: Cell): boolean => variant !== 'original' || setting !== 'default';

/**
 * Compares (prompt l, passing code l) with (summary l, failing code l + 1). Each judge's repeats are numbered from 0,
 * so that its calls and recordings do not depend on the other judges.
 */
function judgeQuestion(study: EvaloopStudy, state: CellState, where: At): Question {
  const { loop, sample } = where;
  const panel = judgePanel(study.settings);
  const judgement = judgementsOf(panel)[sample];
  if (!judgement) throw new Error(`study ${study.name} has no judgement ${sample}; its plan does not match its spec`);
  const text = (form: TextForm): string =>
    judgePrompt(
      description(study, state, loop, form),
      form(code(study, state, loop)),
      description(study, state, loop + 1, form),
      form(code(study, state, loop + 1)),
    );
  return {
    asked: { role: 'judge', model: judgement.model },
    messages: conversation(text(asRead)),
    plainMessages: conversation(text(withoutOuterSpace)),
    parameters: judgeParameters(study, state, where, judgement.repeat, panel.temperature),
    ...drawOf(state),
    sample: judgement.repeat,
    parent: at('generate', loop + 1),
  };
}

/** Greedy, unless the study states a temperature: then with a seed for each repeat. */
const judgeParameters = (
  study: EvaloopStudy,
  state: CellState,
  where: At,
  repeat: number,
  temperature: number,
): Question['parameters'] => ({
  ...judgeDecoding,
  ...(temperature > 0 ? { temperature, seed: seedOf(...drawNames(study, state, where), repeat, where.ask) } : {}),
});

/** How the text of an answer is put into a question. */
type TextForm = (text: string) => string;
const asRead: TextForm = (text) => text;

/**
 * The description that loop `loop` starts from: the task's own, attacked or not, or the summary of the loop before.
 */
function description(study: EvaloopStudy, state: CellState, loop: number, form: TextForm = asRead): string {
  if (loop === 1) return firstPrompt(state);
  const summary = wordsOf(study, answered(state, at('summarize', loop - 1)));
  if (summary === null)
    throw new Error(`${state.task.taskId} has no summary in loop ${loop - 1}, so loop ${loop} has no prompt`);
  return nextDescription(form(summary), state.task.prompt);
}

function firstPrompt({ cell, task, variant }: CellState): string {
  if (cell.variant === 'original') return task.prompt;
  if (variant?.prompt == null) throw new Error(`${task.taskId} has no variant ${cell.variant}, so it cannot be asked`);
  return variant.prompt;
}

function draftOf(study: EvaloopStudy, state: CellState, loop: number): string {
  const draft = wordsOf(study, answered(state, at('draft', loop)));
  if (draft === null) throw new Error(`${state.task.taskId} has no draft in loop ${loop}, so that loop has no code`);
  return draft;
}

function code(study: EvaloopStudy, state: CellState, loop: number): string {
  const text = codeOf(study, state, answered(state, at('generate', loop))).code ?? '';
  // The authors strip the code before they use it further.
  return study.extraction === 'paper' ? text.trimEnd() : text;
}

function answered(state: CellState, where: At): Answer {
  const answer = state.answer(where);
  if (!answer) throw new Error(`${state.task.taskId} has no answer to ${where.step} in loop ${where.loop}`);
  return answer;
}

function usable(study: EvaloopStudy, state: CellState, where: At, answer: Answer): boolean {
  if (where.step === 'generate') return codeOf(study, state, answer).code !== null;
  if (where.step === 'judge') return similarityScore(answer.reply.text) !== null;
  return wordsOf(study, answer) !== null;
}
