/**
 * Generates the prompts of one task from the models' answers: selects the draft of the maximal prompt, cuts summaries,
 * and gives reasons for flagged and missing prompts.
 */
import { wordDistance } from '../../domain/edit-distance.ts';
import { seedOf } from '../../domain/random.ts';
import { excludedOutcomes } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import type { Answer, At, SuiteOutcome } from '../cell-state.ts';
import { refusalText } from '../variants/settle.ts';
import { escaped, framed, promptFrame, type PromptFrame } from './frame.ts';
import { descriptionFault } from './leak.ts';
import type { Position } from './poset.ts';
import { describedIn } from './prompts.ts';
import { maskedSentences, sampledParagraphs } from './reductions.ts';
import { cutToWords, summarizedByRules } from './rule-summarizer.ts';
import { writtenByRules } from './rule-writer.ts';
import { positionsOf, rolesOf, type SpecificitySettings } from './settings.ts';
import { wordCount } from './units.ts';

/** A cell that generates a prompt, with its answers. */
export interface MakingCell {
  answer(at: At): Answer | undefined;
  outcomes(at: At): readonly SuiteOutcome[] | undefined;
}

/** A description, as a docstring's text, with status and reason. */
export interface Generated {
  /** Null if there is none. */
  readonly text: string | null;
  readonly status: VariantRecord['status'];
  readonly reason: string | null;
  readonly attempts: number;
}

/** The step of a writer's draft, or of the checker's answer to it; drafts are numbered from 1. */
export const draftAt = (step: 'write' | 'generate', draft: number): At => ({ step, loop: draft, ask: 0, sample: 0 });
export const summaryAt = (ask: number): At => ({ step: 'summarize', loop: 1, ask, sample: 0 });

const frames = new WeakMap<Task, PromptFrame>();

/** A task's frame, cached. Throws if it has none. */
export function frameOf(task: Task): PromptFrame {
  const frame = frames.get(task) ?? promptFrame(task);
  if (frame === null) throw new Error(`${task.taskId} has no description or no signature`);
  frames.set(task, frame);
  return frame;
}

/** A draft's description, or the reason why it is rejected. */
export type Draft = { readonly text: string; readonly fault: null } | { readonly text: null; readonly fault: string };

export function draftOf(task: Task, { reply, status }: Answer): Draft {
  if (status !== 'ok') return { text: null, fault: status };
  const text = describedIn(reply.text);
  const fault = descriptionFault(text, frameOf(task).description, task);
  return fault === null ? { text: escaped(text, task.language), fault } : { text: null, fault };
}

/** The draft with that number; undefined if it was not made. The rules write only one draft, always the same. */
export function draftNumber(
  settings: SpecificitySettings,
  task: Task,
  cell: MakingCell,
  draft: number,
): Draft | undefined {
  if (rolesOf(settings).writer === null)
    return draft === 1 ? { text: writtenByRules(frameOf(task).description, task), fault: null } : undefined;
  const answer = cell.answer(draftAt('write', draft));
  return answer && draftOf(task, answer);
}

/**
 * The first valid draft from which the checker solves the task; else the last valid draft, flagged; else none. Stops at
 * the first draft that was not made.
 */
export function maximalOf(settings: SpecificitySettings, task: Task, cell: MakingCell): Generated {
  const refused: string[] = [];
  let lawful: string | null = null;
  for (let number = 1; number <= settings.maxDraws; number += 1) {
    const draft = draftNumber(settings, task, cell, number);
    if (draft === undefined) break;
    const unsolved = draft.text === null ? null : unsolvedBecause(settings, cell, number);
    if (draft.text !== null && unsolved === null)
      return { text: draft.text, status: 'accepted', reason: refusalText(refused), attempts: number };
    lawful = draft.text ?? lawful;
    refused.push(draft.fault ?? unsolved ?? '');
  }
  const made = { reason: refusalText(refused), attempts: refused.length };
  return lawful === null ? { text: null, status: 'missing', ...made } : { text: lawful, status: 'flagged', ...made };
}

/** Null if the checker solved the task from this draft, or there is no checker. */
function unsolvedBecause(settings: SpecificitySettings, cell: MakingCell, draft: number): string | null {
  const { checker } = rolesOf(settings);
  if (checker === null) return null;
  const outcomes = cell.outcomes(draftAt('generate', draft));
  const failed =
    outcomes?.find(({ outcome }) => outcome !== 'pass' && !excludedOutcomes.has(outcome)) ??
    outcomes?.find(({ outcome }) => outcome !== 'pass');
  if (outcomes !== undefined && failed === undefined) return null;
  return `not solved by ${checker}: ${failed?.outcome ?? 'no code'}`;
}

/** A summarizer's answer with its number of words; null if it has none. */
export function summaryIn(
  { language }: Pick<Task, 'language'>,
  { reply, status }: Answer,
): { readonly text: string; readonly words: number } | null {
  const text = status === 'ok' || status === 'truncated' ? escaped(describedIn(reply.text), language) : '';
  return text === '' ? null : { text, words: wordCount(text) };
}

/** The first summary within the limit; else the shortest one, cut and flagged; else none. */
export function summaryOf(
  settings: SpecificitySettings,
  task: Pick<Task, 'language'>,
  limit: number,
  maximal: string | null,
  cell: MakingCell,
): Generated {
  if (maximal === null) return noMaximal;
  if (rolesOf(settings).summarizer === null) return accepted(summarizedByRules(maximal, limit));
  const refused: string[] = [];
  let shortest: { text: string; words: number } | null = null;
  for (let ask = 0; ask < settings.summaryAsks; ask += 1) {
    const answer = cell.answer(summaryAt(ask));
    if (answer === undefined) break;
    const summary = summaryIn(task, answer);
    if (summary !== null && summary.words <= limit)
      return { ...accepted(summary.text), reason: refusalText(refused), attempts: ask + 1 };
    refused.push(
      summary === null ? (answer.status === 'ok' ? 'empty' : answer.status) : `${summary.words} of ${limit} words`,
    );
    if (summary !== null && (shortest === null || summary.words < shortest.words)) shortest = summary;
  }
  const reason = refusalText(refused);
  if (shortest === null) return { text: null, status: 'missing', reason, attempts: refused.length };
  return {
    text: cutToWords(shortest.text, limit),
    status: 'flagged',
    reason: `cut to the limit: ${reason}`,
    attempts: refused.length,
  };
}

const accepted = (text: string): Generated => ({ text, status: 'accepted', reason: null, attempts: 1 });
const noMaximal: Generated = {
  text: null,
  status: 'missing',
  reason: 'there is no maximal prompt to make it from',
  attempts: 0,
};

/** All prompts of a task, in the order of the poset. */
export function setOf(
  settings: SpecificitySettings,
  task: Task,
  cellOf: (variant: string) => MakingCell,
): VariantRecord[] {
  const frame = frameOf(task);
  const maximal = maximalOf(settings, task, cellOf('maximal'));
  const reduced = reductionsOf(settings, task, maximal.text);
  return positionsOf(settings).map((position) => {
    const { variant, augmentation, level } = position;
    if (augmentation === 'minimal') return recordOf(frame, position, { ...accepted(''), attempts: 0 });
    if (augmentation === 'original') return recordOf(frame, position, { ...accepted(frame.description), attempts: 0 });
    if (augmentation === 'maximal') return recordOf(frame, position, maximal);
    if (augmentation === 'summary')
      return recordOf(frame, position, summaryOf(settings, task, level ?? 0, maximal.text, cellOf(variant)));
    return recordOf(frame, position, reduced(position));
  });
}

/** Paragraph samples and masked descriptions by position. */
function reductionsOf(
  settings: SpecificitySettings,
  task: Task,
  maximal: string | null,
): (position: Position) => Generated {
  const known = new Map<string, Generated[]>();
  return ({ augmentation, level, draw }) => {
    if (maximal === null) return noMaximal;
    const name = `${augmentation} ${level}`;
    const texts =
      augmentation === 'mask'
        ? () => maskedSentences(maximal, level ?? 0, settings.draws)
        : () =>
            sampledParagraphs(maximal, level ?? 0, settings.draws, seedOf('specificity', settings.seed, task.taskId));
    const all =
      known.get(name) ??
      texts().map(({ text, fault }): Generated => (text === null ? { ...noMaximal, reason: fault } : accepted(text)));
    known.set(name, all);
    return all[(draw ?? 1) - 1] ?? noMaximal;
  };
}

export function recordOf(
  frame: PromptFrame,
  { variant, augmentation, level, draw }: Position,
  made: Generated,
): VariantRecord {
  const { text, status, reason, attempts } = made;
  const prompt =
    text === null
      ? null
      : augmentation === 'original'
        ? frame.original
        : framed(frame, augmentation === 'minimal' ? null : text);
  return {
    ...{
      variant,
      augmentation,
      level,
      draw,
      distance: null,
      emotion: null,
      technical: null,
      experience: null,
      collaboration: null,
    },
    ...{ status, reason, attempts, prompt },
    editDistance: text === null ? null : wordDistance(frame.description, text),
    words: text === null ? null : wordCount(text),
  };
}
