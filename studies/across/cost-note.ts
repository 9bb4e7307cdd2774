/** Whether models have ranks by what a solved task costs: only where all are asked the same number of questions. */
import { answersAtOnce } from '../../analysis/card/solved-costs.ts';
import type { Sides } from '../../analysis/gate/compared.ts';
import { haveSameSettings, type NeededSettings, settingTexts } from '../../analysis/gate/needed-settings.ts';
import { resultsOfKind } from '../results.ts';
import { differingSettings } from './run-notes.ts';

/** Why they have none; null if they have. */
export function costNote(sides: Sides['sides']): string | null {
  const [{ study }] = sides;
  const without = `study ${study.name}: models have no ranks by cost (usd_per_solved_task)`;
  if (resultsOfKind(study.kind).asksByAnswers === true)
    return `${without}: how many questions a task takes follows from the answers, so that early failures cost less`;
  if (haveSameSettings(sides, needed)) return null;
  return `${without}: it depends on settings that differ (${differingSettings(sides, needed)?.text})`;
}

/** Each may change how many answers a task takes, and how long they are. */
const needed: Pick<NeededSettings, 'settingsOf'> = {
  settingsOf: ({ repetitions, settings }) => settingTexts({ repetitions, ...settings }),
};

/** For a comparison that shows cards, where two models may have a cost. */
export function costNotes(sides: Sides['sides']): string[] {
  const paid = sides.filter((side) => !answersAtOnce(side));
  const note = paid.length > 1 ? costNote(sides) : null;
  return note === null ? [] : [note];
}
