/** Which emotion and personality each variant gets: drawn per task and distance, by seed. */
import { seedOf, uniform } from '../../domain/random.ts';
import type { Distance } from '../../domain/metrics/auc-e.ts';
import { collaborations, type Context, contexts, type Emotion, emotions, experiences, type Personality, technicals } from './templates.ts';

export interface Style {
  readonly emotion: Emotion;
  readonly personality: Personality;
  readonly distance: Distance;
  /** Left out where the study has no contextual conditions. */
  readonly context?: Context;
}

/** `balanced` gives every emotion nearly equally often; `random`, as in the paper, draws each on its own. */
export type Draws = 'balanced' | 'random';

/** `count` styles for one task and distance. The same arguments give the same styles; moods and profiles are the same with contexts. */
export function drawStyles(
  seed: number,
  taskId: string,
  distance: Distance,
  count: number,
  { draws, contexts: withContexts }: { readonly draws: Draws; readonly contexts: boolean },
): Style[] {
  const next = uniform(seedOf('style', seed, taskId, distance));
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const moods = draws === 'random' ? Array.from({ length: count }, () => pick(emotions)) : balanced(count, next);
  const styles = moods.map((emotion) => ({
    emotion,
    personality: { technical: pick(technicals), experience: pick(experiences), collaboration: pick(collaborations) },
    distance,
  }));
  return withContexts ? styles.map((style) => ({ ...style, context: pick(contexts) })) : styles;
}

/** Whole rounds of all emotions, each in a new order, and the rest of a last round. */
function balanced(count: number, next: () => number): Emotion[] {
  const rounds = Math.ceil(count / emotions.length);
  return Array.from({ length: rounds }, () => shuffled(emotions, next))
    .flat()
    .slice(0, count);
}

/** Fisher and Yates. */
export function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const at = Math.floor(next() * (last + 1));
    [order[last], order[at]] = [order[at] as T, order[last] as T];
  }
  return order;
}
