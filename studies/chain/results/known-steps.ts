/** What is known of a chain: of one with a step that could not be judged, the least and the most that it may be. */
import { excludedOutcomes, type Outcome } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { ChainCell } from './score.ts';

/** A chain, with the steps that it passed. */
export interface PassedChain extends ChainCell {
  readonly passed: ReadonlySet<number>;
}

/** The same object twice, if the chain was judged to its end. */
export interface KnownChain {
  /** Steps that could not be judged failed. */
  readonly least: PassedChain;
  /** They passed, and so did those that were not asked because of them. */
  readonly most: PassedChain;
}

/** The least and the most of a value of a chain. */
export type Ends = readonly [least: number, most: number];

/** @param row of `chains` @param translations of the chain */
export function knownChain(row: Row, translations: readonly Row[]): KnownChain {
  const steps = numberOf(row, 'steps');
  const outcomes = new Map(translations.map((one) => [numberOf(one, 'loop'), textOf(one, 'outcome') as Outcome]));
  const passed = [...outcomes].flatMap(([step, outcome]) => (outcome === 'pass' ? [step] : []));
  const taskId = textOf(row, 'task_id');
  if (row['ended_by'] !== 'excluded') {
    const [sustainedSteps, passedSteps] = [numberOf(row, 'sustained_steps'), numberOf(row, 'passed_steps')];
    const whole = { taskId, sustainedSteps, passedSteps, passed: new Set(passed) };
    return { least: whole, most: whole };
  }
  // No step is asked after a failure that ends the chain; otherwise because of a step that could not be judged.
  const hasEnded = isFailure(outcomes.get(Math.max(0, ...outcomes.keys())));
  const open = Array.from({ length: steps }, (_, place) => place + 1).filter((step) => {
    const outcome = outcomes.get(step);
    return outcome === undefined ? !hasEnded : excludedOutcomes.has(outcome);
  });
  return { least: chainOf(taskId, passed), most: chainOf(taskId, [...passed, ...open]) };
}

/** Whether an outcome is a failure of the model. */
export const isFailure = (outcome: Outcome | null | undefined): boolean =>
  outcome != null && outcome !== 'pass' && !excludedOutcomes.has(outcome);

function chainOf(taskId: string, steps: readonly number[]): PassedChain {
  const passed = new Set(steps);
  let sustainedSteps = 0;
  while (passed.has(sustainedSteps + 1)) sustainedSteps += 1;
  return { taskId, sustainedSteps, passedSteps: passed.size, passed };
}

export const isKnown = ([least, most]: Ends): boolean => least === most;

/** An estimate from the chains whose value is known, or the nearest that all chains may have. */
export function possible(estimate: number | null, ends: readonly Ends[]): number | null {
  if (estimate === null || ends.every(isKnown)) return estimate;
  const [least, most] = [mean(ends.map(([low]) => low)), mean(ends.map(([, high]) => high))] as [number, number];
  return Math.min(most, Math.max(least, estimate));
}
