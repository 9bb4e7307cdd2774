/** EVALOOP's own tables, computed from a page's answers and verdicts: `loops` and `judgements`. */
import { similarityScore } from '../../domain/extraction/similarity-score.ts';
import { panelMean } from '../../domain/metrics/judges/panel-mean.ts';
import { excludedOutcomes, excludedReplies, type LoopEnding, type Outcome } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { CellState, StudyPage, SuiteOutcome } from '../cell-state.ts';
import { judgementsOf, judgePanel } from './judges.ts';
import { at, isDrafted, wordsOf } from './steps.ts';
import type { EvaloopStudy } from './settings.ts';

interface Course {
  /** Loops whose code passed every suite, 0 to M. */
  readonly sustained: number;
  readonly endedBy: LoopEnding;
  readonly endedOutcome: Outcome | null;
}

export function evaloopRows(study: EvaloopStudy, page: StudyPage): Partial<Record<TableName, Row[]>> {
  const judgements = page.cells.flatMap((cell) => judgementRows(study, page, cell));
  const loops = page.cells.map((cell) => loopRow(study, page, cell));
  return { loops, judgements };
}

function loopRow(study: EvaloopStudy, page: StudyPage, cell: CellState): Row {
  const course = isAsked(cell) ? courseOf(study, cell) : notAsked;
  return {
    ...page.key(cell),
    sustained_loops: course.sustained,
    ended_by: course.endedBy,
    ended_outcome: course.endedOutcome,
    ...similarity(study, cell, course),
    simulated: page.simulated,
  };
}

/** A cell is not asked if its attack changes nothing in the task's prompt. */
const isAsked = ({ cell, variant }: CellState): boolean => cell.variant === 'original' || variant?.prompt != null;
const notAsked: Course = { sustained: 0, endedBy: 'excluded', endedOutcome: 'not_run' };

/** Follows a cell loop by loop to its end (section 2.1 of the paper). */
function courseOf(study: EvaloopStudy, cell: CellState): Course {
  const { maxLoops } = study.settings;
  for (let loop = 1; loop <= maxLoops; loop += 1) {
    if (isDrafted(study) && isExcluded(cell, 'draft', loop)) return { ...notAsked, sustained: loop - 1 };
    const end = isDrafted(study) && !said(study, cell, 'draft', loop) ? draftless(cell, loop) : loopEnd(cell, loop);
    if (end) return { sustained: loop - 1, ...end };
    if (loop < maxLoops && isExcluded(cell, 'summarize', loop)) return { ...notAsked, sustained: loop };
    if (loop < maxLoops && !said(study, cell, 'summarize', loop))
      return {
        sustained: loop,
        endedBy: isUnknown(cell, 'summarize', loop) ? 'not_asked' : 'no_summary',
        endedOutcome: null,
      };
  }
  return { sustained: maxLoops, endedBy: 'survived', endedOutcome: null };
}

/** Whether the answer is missing for a reason that is not the model's fault. */
function isExcluded(cell: CellState, step: 'draft' | 'summarize', loop: number): boolean {
  const answer = cell.answer(at(step, loop));
  return answer !== undefined && excludedReplies.has(answer.status);
}

/** Whether the answer holds a usable summary or draft. */
function said(study: EvaloopStudy, cell: CellState, step: 'draft' | 'summarize', loop: number): boolean {
  const answer = cell.answer(at(step, loop));
  if (!answer)
    throw new Error(`${cell.task.taskId}: loop ${loop} has no answer to ${step}, so the page is not complete`);
  return wordsOf(study, answer) !== null;
}

const isUnknown = (cell: CellState, step: 'draft' | 'generate' | 'summarize', loop: number): boolean =>
  cell.answer(at(step, loop))?.status === 'not_asked';

const unknown = { endedBy: 'not_asked', endedOutcome: null } as const;
const noCode = { endedBy: 'no_code', endedOutcome: 'no_code' } as const;

const draftless = (cell: CellState, loop: number): typeof noCode | typeof unknown =>
  isUnknown(cell, 'draft', loop) ? unknown : noCode;

/** How the loop's code ended the task; undefined if it passed. */
function loopEnd(cell: CellState, loop: number): { endedBy: LoopEnding; endedOutcome: Outcome | null } | undefined {
  const where = at('generate', loop);
  if (!cell.answer(where))
    throw new Error(`${cell.task.taskId}: loop ${loop} has no code, so the page is not complete`);
  if (isUnknown(cell, 'generate', loop)) return unknown;
  const outcomes = cell.outcomes(where);
  if (!outcomes) return noCode;
  const failure = firstFailure(outcomes);
  if (!failure) return undefined;
  return { endedBy: excludedOutcomes.has(failure) ? 'excluded' : 'code_failed', endedOutcome: failure };
}

/** A real failure on any suite takes precedence over an outcome that another suite excludes. */
function firstFailure(outcomes: readonly SuiteOutcome[]): Outcome | undefined {
  const failures = outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'pass');
  return failures.find((outcome) => !excludedOutcomes.has(outcome)) ?? failures[0];
}

function similarity(study: EvaloopStudy, cell: CellState, course: Course): Row {
  const { settings } = study;
  if (course.sustained === 0 || course.sustained === settings.maxLoops)
    return { similarity: null, similarity_reason: 'not needed' };
  if (course.endedBy === 'excluded') return { similarity: null, similarity_reason: 'not counted' };
  if (course.endedBy === 'not_asked') return { similarity: null, similarity_reason: 'not asked' };
  if (judgePanel(settings).models.length === 0) return { similarity: null, similarity_reason: 'no judge' };
  if (course.endedBy === 'no_summary') return { similarity: null, similarity_reason: 'no summary' };
  if (!cell.answer(at('generate', course.sustained + 1))) return { similarity: null, similarity_reason: 'no draft' };
  const score = meanScore(study, cell, course.sustained);
  return { similarity: score, similarity_reason: score === null ? noScoreReason(study, cell, course.sustained) : null };
}

function noScoreReason(study: EvaloopStudy, cell: CellState, loop: number): string {
  const all = judgementsOf(judgePanel(study.settings)).flatMap((_, sample) => scores(study, cell, loop, sample));
  return all.every(({ isAsked: asked }) => !asked) ? unaskedJudge : 'no score could be read';
}

/** Of a recording, or a run that is judged again under another rule, which reads another summary or program. */
export const unaskedJudge = 'the judge was not asked this question in the recorded run';

/** Null if no judge has a score. */
function meanScore(study: EvaloopStudy, cell: CellState, loop: number): number | null {
  const found = judgementsOf(judgePanel(study.settings)).map(({ model }, sample) => ({
    model,
    score: scores(study, cell, loop, sample).find(({ score }) => score !== null)?.score ?? null,
  }));
  const byJudge = Map.groupBy(found, ({ model }) => model);
  return panelMean([...byJudge.values()].map((own) => own.map(({ score }) => score)));
}

interface JudgeAnswer {
  readonly score: number | null;
  /** False for a mark in place of an answer that nobody asked for. */
  readonly isAsked: boolean;
}

/** The scores in one judgement's answers, in the order asked. */
function scores(study: EvaloopStudy, cell: CellState, loop: number, sample: number): JudgeAnswer[] {
  const asks = Array.from({ length: study.settings.judgeAsks }, (_, ask) =>
    cell.answer(at('judge', loop, ask, sample)),
  );
  return asks
    .filter((answer) => answer !== undefined)
    .map(({ reply, status }) => ({ score: similarityScore(reply.text), isAsked: status !== 'not_asked' }));
}

function judgementRows(study: EvaloopStudy, page: StudyPage, cell: CellState): Row[] {
  if (!isAsked(cell)) return [];
  const { sustained } = courseOf(study, cell);
  return judgementsOf(judgePanel(study.settings)).flatMap(({ model, repeat }, sample) =>
    scores(study, cell, sustained, sample).map(({ score, isAsked: asked }, ask) => ({
      ...page.key(cell),
      loop: sustained,
      ask,
      sample,
      judge: model,
      repeat,
      score,
      reason: score === null ? (asked ? 'the answer held no score in [0, 1]' : unaskedJudge) : null,
      simulated: page.simulated || page.isSimulated(model),
    })),
  );
}
