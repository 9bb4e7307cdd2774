/** Whether a margin is so large that no two models can differ by more. */
import type { GateSubject } from '../gate/evaluate.ts';
import { nameList } from '../name-list.ts';
import type { TaskRange } from '../metrics/task-range.ts';

interface Compared {
  readonly subject: GateSubject;
  readonly range: TaskRange;
  readonly options: { readonly margin: number };
}

/** One note for all metrics whose bounds say so; empty if there are none. A gate's checks say it one by one. */
export function wideMarginNote(comparisons: readonly Compared[]): string[] {
  const widths = new Map<string, number>();
  for (const { subject, range, options } of comparisons) {
    if (range.kind !== 'bounded' || options.margin < range.hi - range.lo) continue;
    widths.set(subject.metric, Math.max(widths.get(subject.metric) ?? 0, range.hi - range.lo));
  }
  const texts = [...widths].map(([metric, width], place) => {
    const most = `at most ${Number(width.toPrecision(4))}`;
    return `${metric} (${place === 0 ? `values differ by ${most}` : most})`;
  });
  const [margin] = comparisons.map(({ options }) => options.margin);
  return texts.length === 0
    ? []
    : [`a margin of ${margin} cannot fail for ${nameList(texts)}: --margin is in the unit of the metric`];
}
