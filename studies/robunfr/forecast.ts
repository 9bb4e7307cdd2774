/** RobuNFR's calls: each phrasing in one step, Function-Only in repetitions, and improvements of its code. */
import { canonicalJson } from '../../domain/ids.ts';
import { type CallForecast, exactly, noneToAtMost, type PlannedQuestion } from '../forecast.ts';
import type { Condition } from './conditions.ts';
import { problemOf } from './problem.ts';
import { type PromptProgram, workflowMessages } from './prompt-program.ts';
import { conditionsOf, programOf, type RobunfrStudy } from './steps.ts';

/**
 * Counts are means over a task's cells. NFR-Enhanced reuses Function-Only's answers and only asks for improvements: one
 * per cell, unless plain code is missing.
 */
export function robunfrCalls(study: RobunfrStudy): CallForecast[] {
  const all = conditionsOf(study);
  const [improving, asking] = [true, false].map((wanted) =>
    all.filter(({ workflow }) => (workflow === 'nfr-enhanced') === wanted),
  );
  const enhanced = (improving ?? []).length / all.length;
  const program = programOf(study);
  const phrasing = all.find((condition) => condition.phrasing !== null)?.phrasing ?? '';
  const common = { asked: 'study', answer: 'program', maxTokens: study.settings.maxTokens, logprobs: false } as const;
  const coded: CallForecast = {
    ...common,
    step: 'generate',
    calls: exactly(1 - enhanced),
    inSeries: exactly(1),
    messages: (task) => workflowMessages(program, 'nfr-integrated', { problem: problemOf(task), phrasing }),
    questions: questionsOf(study, asking ?? []),
  };
  if (enhanced === 0) return [coded];
  const improved: CallForecast = {
    ...common,
    step: 'improve',
    calls: noneToAtMost(enhanced, enhanced),
    inSeries: noneToAtMost(1, 1),
    messages: (task, said) =>
      workflowMessages(program, 'nfr-enhanced', { problem: problemOf(task), phrasing, code: said('program') }),
    questions: questionsOf(study, improving ?? []),
  };
  return [coded, improved];
}

/**
 * Above temperature 0 each question has its own seed. At 0 a task's plain answers are expected to be equal, those to
 * other questions not.
 */
const questionsOf = (study: RobunfrStudy, conditions: readonly Condition[]): PlannedQuestion[] =>
  conditions.map((condition) => {
    const { temperature, topP, maxTokens } = study.settings;
    const seeded = temperature ? [study.name, condition.variant] : [];
    const said = [textsOf(programOf(study), condition), condition.phrasing, temperature, topP, maxTokens, seeded];
    const name = canonicalJson([said, condition.repetition]);
    return { name, program: condition.phrasing === null && !temperature ? canonicalJson(said) : name };
  });

/** An improvement quotes the answer to the plain question. */
const textsOf = (program: PromptProgram, { workflow }: Condition): string[] =>
  workflow === 'nfr-enhanced' ? [program['function-only'], program[workflow]] : [program[workflow]];
