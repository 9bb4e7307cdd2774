/** Finds the planned questions that no other study of the run asks the same model: equal questions are asked once. */
import { canonicalJson } from '../../domain/ids.ts';
import type { CallForecast, PlannedQuestion, Range } from '../../studies/forecast.ts';
import type { PageGroup } from './page-groups.ts';

export interface Fresh {
  /** Share of a forecast's calls that no earlier forecast includes, 0 to 1. */
  readonly share: number;
  /** Expected number of different programs per call. */
  readonly programs: Range;
}

/**
 * Different programs that a simulated model writes per task: measured 1.9 in studies with 164 tasks
 * of 50 to 90 questions each.
 */
export const simulatedPrograms = 2;

const allDifferent: Fresh = { share: 1, programs: { minimum: 1, expected: 1, maximum: 1 } };

export type FreshOf = (
  group: PageGroup,
  asked: { readonly model: string; readonly isSimulated: boolean },
  forecast: CallForecast,
) => Fresh;

/** Call once per group and forecast: the first one with a question counts it as its own. */
export function freshQuestions(): FreshOf {
  const known = new Map<string, Set<string>>();
  return ({ study, phase }, { model, isSimulated }, { step, questions }) => {
    if (questions === undefined || questions.length === 0) return allDifferent;
    const place = canonicalJson([study.benchmark, phase ?? null, model, step]);
    const before = known.get(place) ?? new Set();
    known.set(place, new Set([...before, ...questions.map(({ name }) => name)]));
    const fresh = [...new Map(questions.map((question) => [question.name, question])).values()].filter(
      ({ name }) => !before.has(name),
    );
    return { share: fresh.length / questions.length, programs: programsOf(fresh, isSimulated) };
  };
}

/** At least one program for all questions, at most one per question. */
function programsOf(fresh: readonly PlannedQuestion[], isSimulated: boolean): Range {
  const different = new Set(fresh.map(({ program }) => program)).size;
  const expected = isSimulated ? Math.min(simulatedPrograms, different) : different;
  const perCall = (programs: number): number => (fresh.length === 0 ? 0 : programs / fresh.length);
  return { minimum: perCall(1), expected: perCall(expected), maximum: perCall(fresh.length) };
}
