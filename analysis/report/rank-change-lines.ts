/** How far two rankings differ, as lines of a table: the same in the page and in Markdown. */
import type { LoopRanks } from '../loop-ranks.ts';
import { intervalText, shareText, three } from './format.ts';

/** What it is, its value, its interval. */
type ChangeLine = readonly [what: string, value: string, interval: string];

export function rankChangeLines({ changes, intervals }: Pick<LoopRanks, 'changes' | 'intervals'>): ChangeLine[] {
  const line = (what: string, name: keyof typeof changes, text: (value: number | null) => string): ChangeLine => [
    what,
    text(changes[name]),
    intervalText(intervals[name].interval, text),
  ];
  return [
    line('models whose place changes', 'changedShare', shareText),
    line('by 10 places or more', 'largeShare', shareText),
    line('mean places moved', 'meanAbsolute', three),
    line('pairs reversed', 'reversedShare', shareText),
    line('Spearman', 'spearman', three),
    line('Kendall', 'kendall', three),
  ];
}
