/** Whether models have ranks by what a solved task costs: only where all are asked the same number of questions. */
import type { Sides } from '../../analysis/gate/compared.ts';
import { canonicalJson } from '../../domain/ids.ts';
import { resultsOfKind } from '../results.ts';

/** Why they have none; null if they have. */
export function costNote(sides: Sides['sides']): string | null {
  const [{ study }] = sides;
  const without = `study ${study.name}: models have no ranks by cost (usd_per_solved_task)`;
  if (resultsOfKind(study.kind).asksByAnswers === true)
    return `${without}: how many questions a task takes follows from the answers, so that early failures cost less`;
  const ofRuns = new Map(sides.map((side) => [side.manifest.runId, settingsOf(side.study)]));
  const names = new Set([...ofRuns.values()].flatMap((own) => Object.keys(own)));
  const differ = [...names].filter((name) => new Set([...ofRuns.values()].map((own) => own[name])).size > 1);
  if (differ.length === 0) return null;
  const texts = [...ofRuns].map(
    ([run, own]) => `${differ.map((name) => `${name} ${own[name] ?? 'not set'}`).join(', ')} in run ${run}`,
  );
  return `${without}: it depends on settings that differ (${texts.join('; ')})`;
}

/** Each may change how many answers a task takes, and how long they are. */
const settingsOf = ({ repetitions, settings }: Sides['sides'][number]['study']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ repetitions, ...settings }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : canonicalJson(value),
    ]),
  );
