/** How many first answers to unchanged prompts a study asks of each model. */
import type { ComparisonSize } from '../domain/statistics/power/comparison-power.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import type { CallForecast } from './forecast.ts';
import { studyOf } from './index.ts';

export interface PlannedAnswers {
  readonly size: ComparisonSize;
  readonly forecast: CallForecast;
}

/**
 * In the study's first setting by name. Null if the study asks for no program by an unchanged prompt.
 * @param tasks those of its benchmark, `tasksOf` gives another's
 */
export function plannedAnswers(
  study: SpecStudy,
  tasks: readonly Task[],
  tasksOf: (benchmark: string) => readonly Task[],
): PlannedAnswers | null {
  const asking = studyOf(study);
  const cells = asking.cells(study, tasks, tasksOf).filter(({ variant }) => variant === 'original');
  const [setting] = [...new Set(cells.map((cell) => cell.setting))].toSorted();
  const own = cells.filter((cell) => cell.setting === setting);
  const asked = new Set(own.map(({ taskId }) => taskId)).size;
  const forecast = asking
    .calls(study)
    .find((call) => call.asked === 'study' && call.step === 'generate' && call.answer === 'program');
  if (asked === 0 || forecast === undefined) return null;
  const repetitions = Math.max(1, Math.round(own.length / asked));
  const samples = Math.max(1, Math.round(forecast.calls.expected / forecast.inSeries.expected));
  return { size: { tasks: asked, repetitions, samples }, forecast };
}
