/** Draws the emotion and personality of each variant, per task and distance, by seed. */
import { seedOf, uniform } from '../../domain/random.ts';
import type { Distance } from './distances.ts';
import {
  collaborations,
  type Context,
  contexts,
  type Emotion,
  emotions,
  experiences,
  type Personality,
  technicals,
} from './templates.ts';

export interface Style {
  readonly emotion: Emotion;
  readonly personality: Personality;
  readonly distance: Distance;
  /** Only if the study uses contextual conditions. */
  readonly context?: Context;
}

/** `balanced` uses all emotions about equally often; `random`, as in the paper, draws each independently. */
export type Draws = 'balanced' | 'random';

/**
 * `count` styles for one task and distance. The same arguments give the same styles; emotions and personalities do not
 * depend on whether contexts are drawn.
 */
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

/** Rounds of all emotions, each shuffled; the last round may be incomplete. */
function balanced(count: number, next: () => number): Emotion[] {
  const rounds = Math.ceil(count / emotions.length);
  return Array.from({ length: rounds }, () => shuffled(emotions, next))
    .flat()
    .slice(0, count);
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const at = Math.floor(next() * (last + 1));
    [order[last], order[at]] = [order[at] as T, order[last] as T];
  }
  return order;
}
