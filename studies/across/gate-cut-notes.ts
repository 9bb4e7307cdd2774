/** Which metrics a gate compares on fewer tasks than a version has. */
import type { Compared } from '../../analysis/gate/compared.ts';
import { counted } from '../../domain/counted.ts';
import { conditionName, type GateSubject } from '../../domain/gate/evaluate.ts';

type Judged = Pick<Compared, 'subject' | 'judged'>;

interface Cut {
  readonly subject: GateSubject;
  readonly tasks: number;
  readonly old: number;
  readonly now: number;
}

/** If more conditions of a metric than these have numbers of their own, one note has the least and the most. */
const mostNotes = 4;

/**
 * One for the conditions of a metric that have the same numbers. None on pass@1: each of its checks tells it.
 * @param compared what a rule asks about
 */
export function gateCutNotes(compared: readonly Judged[]): string[] {
  const byMetric = Map.groupBy(compared.flatMap(cutOf), ({ subject }) => subject.metric);
  return [...byMetric].flatMap(([metric, cuts]) => {
    const groups = [...Map.groupBy(cuts, ({ tasks, old, now }) => JSON.stringify([tasks, old, now])).values()];
    if (groups.length > mostNotes) return [noteOf(`${metric}, ${counted(cuts.length, 'condition')},`, cuts)];
    return groups.map((own) => {
      const names = new Set(own.map(({ subject }) => conditionName(subject)));
      return noteOf(`${metric} (${[...names].join('; ')})`, own);
    });
  });
}

function cutOf({ subject, judged }: Judged): Cut[] {
  if (judged === undefined || subject.metric === 'pass_at_1') return [];
  const { tasks, own } = judged;
  const [old = 0, now = 0] = own;
  return Math.max(old, now) > tasks ? [{ subject, tasks, old, now }] : [];
}

function noteOf(what: string, cuts: readonly Cut[]): string {
  const rangeOf = (key: 'tasks' | 'old' | 'now'): { readonly text: string; readonly most: number } => {
    const all = cuts.map((cut) => cut[key]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return { text: least === most ? '' : `${least} to `, most };
  };
  const [tasks, old, now] = [rangeOf('tasks'), rangeOf('old'), rangeOf('now')];
  return (
    `${what} is compared on ${tasks.text}${counted(tasks.most, 'task')}; the old version has it for ` +
    `${old.text}${counted(old.most, 'task')}, the new one for ${now.text}${now.most}`
  );
}
