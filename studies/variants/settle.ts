/**
 * Selects which draws become variants: in each round every open slot is drawn once, and a slot takes its first valid
 * draw.
 */
import { comparedWords, wordDistance } from '../../domain/edit-distance.ts';
import { checkVariant, type Original } from './invariance.ts';
import { createSeenTexts } from './near-duplicates.ts';
import { passagesOf } from './prompt-parts.ts';

/** A draw: a whole prompt, or the reason why there is none. `undefined` means that it was not made yet. */
export type Draw = { readonly prompt: string } | { readonly fault: string };

/** Slots of one group (a task at one distance) are compared with one another. */
export interface Slot {
  readonly variant: string;
  readonly group: string;
}

export interface SettledSlot {
  readonly accepted: { readonly prompt: string; readonly editDistance: number; readonly words: number } | null;
  /** Number of draws made. */
  readonly attempts: number;
  /** Reasons why draws were rejected, in order. */
  readonly refused: readonly string[];
}

export interface Settlement {
  /** In the slots' order. */
  readonly settled: readonly SettledSlot[];
  /** Indices of slots that need draw number `round`; empty if all slots are settled or at the limit. */
  readonly open: readonly number[];
  readonly round: number;
}

interface State {
  accepted: SettledSlot['accepted'];
  attempts: number;
  readonly refused: string[];
}

/**
 * Processes the draws made so far, round by round. The same draws always give the same result.
 * @param drawOf draw number `round` (from 0) of a slot; undefined if it was not made
 */
export function settle(
  original: Original,
  slots: readonly Slot[],
  maxDraws: number,
  drawOf: (slot: number, round: number) => Draw | undefined,
): Settlement {
  const states: State[] = slots.map(() => ({ accepted: null, attempts: 0, refused: [] }));
  const judge = createJudge(original);
  for (let round = 0; round < maxDraws; round += 1) {
    const open = states.flatMap(({ accepted }, index) => (accepted === null ? [index] : []));
    const drawn = open.map((index) => [index, drawOf(index, round)] as const);
    const waiting = drawn.flatMap(([index, draw]) => (draw === undefined ? [index] : []));
    if (waiting.length > 0) return { settled: states, open: waiting, round };
    for (const [index, draw] of drawn) judge(states[index] as State, (slots[index] as Slot).group, draw as Draw);
    if (open.length === 0) break;
  }
  return { settled: states, open: [], round: maxDraws };
}

function createJudge(original: Original): (state: State, group: string, draw: Draw) => void {
  const before = passagesOf(original.parts).join('\n');
  const seen = new Map<string, ReturnType<typeof createSeenTexts>>();
  return (state, group, draw) => {
    state.attempts += 1;
    const checked = 'fault' in draw ? { passages: null, violation: draw.fault } : checkVariant(original, draw.prompt);
    const words = checked.passages?.join('\n');
    if (words === undefined || 'fault' in draw) {
      state.refused.push(checked.violation ?? 'no draw');
      return;
    }
    const others = seen.get(group) ?? createSeenTexts(before);
    seen.set(group, others);
    if (others.isDuplicate(words)) state.refused.push('near duplicate');
    else
      state.accepted = {
        prompt: draw.prompt,
        editDistance: wordDistance(before, words),
        words: comparedWords(words).length,
      };
  };
}

/** Reasons with their counts, most frequent first: `near duplicate (2), lost 5 (1)`. Null for none. */
export function refusalText(refused: readonly string[]): string | null {
  const counts = [...Map.groupBy(refused, (reason) => reason)].map(([reason, all]) => [reason, all.length] as const);
  const sorted = counts.toSorted((a, b) => b[1] - a[1]);
  return sorted.length === 0 ? null : sorted.map(([reason, count]) => `${reason} (${count})`).join(', ');
}
