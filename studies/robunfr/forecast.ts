/** What RobuNFR asks: each phrasing in one step, Function-Only in repetitions, and improvements of its code. */
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { problemOf } from './problem.ts';
import { workflowMessages } from './prompt-program.ts';
import { conditionsOf, programOf, type RobunfrStudy } from './steps.ts';

/**
 * Counts are means over a task's cells: NFR-Enhanced takes Function-Only's answers and asks for improvements alone. Of those there are as many
 * as there are cells of it, unless plain code is missing.
 */
export function robunfrCalls(study: RobunfrStudy): CallForecast[] {
  const all = conditionsOf(study);
  const enhanced = all.filter(({ workflow }) => workflow === 'nfr-enhanced').length / all.length;
  const program = programOf(study);
  const phrasing = all.find((condition) => condition.phrasing !== null)?.phrasing ?? '';
  const common = { asked: 'study', answer: 'program', maxTokens: study.settings.maxTokens, logprobs: false } as const;
  const coded: CallForecast = {
    ...common,
    step: 'generate',
    calls: exactly(1 - enhanced),
    inSeries: exactly(1),
    messages: (task) => workflowMessages(program, 'nfr-integrated', { problem: problemOf(task), phrasing }),
  };
  if (enhanced === 0) return [coded];
  const improved: CallForecast = {
    ...common,
    step: 'improve',
    calls: noneToAtMost(enhanced, enhanced),
    inSeries: noneToAtMost(1, 1),
    messages: (task, said) => workflowMessages(program, 'nfr-enhanced', { problem: problemOf(task), phrasing, code: said('program') }),
  };
  return [coded, improved];
}
