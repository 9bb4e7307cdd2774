/** Rows of table `regression` of a study, model by model: solutions are kept until their model's last pair. */
import type { Measure, Solution } from '../../../../domain/metrics/nfr-solutions.ts';
import { seedOf } from '../../../../domain/random.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RobunfrStudy } from '../../steps.ts';
import { regressionRows } from './regression-rows.ts';

export interface Regressions {
  /** Adds all solutions of a model, once. */
  add(model: string, solutions: readonly Solution[]): void;
  /** In the order of the study's pairs. Ends the collection. */
  rows(): Row[];
}

interface StudyKey {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly language: string;
}

export function collectRegressions(
  { name, settings }: Extract<RobunfrStudy, { kind: 'robunfr-regression' }>,
  seed: number,
  key: StudyKey,
  missing: (measure: Measure) => string,
): Regressions {
  const { pairs } = settings;
  const waiting = new Map<string, readonly Solution[]>();
  const found = new Map<number, Row[]>();
  const compare = (index: number): void => {
    const [old, now] = pairs[index] as (typeof pairs)[number];
    const pair = { old: waiting.get(old) ?? [], now: waiting.get(now) ?? [] };
    const options = { ...settings, seed: seedOf('regression', seed, name, old, now), missing };
    found.set(index, regressionRows({ ...key, old_model: old, model: now }, pair, options));
  };
  const open = (): number[] => [...pairs.keys()].filter((index) => !found.has(index));
  return {
    add(model, solutions) {
      waiting.set(model, solutions);
      for (const index of open()) if (pairs[index]?.every((one) => waiting.has(one)) === true) compare(index);
      const needed = new Set(open().flatMap((index) => pairs[index] ?? []));
      for (const one of waiting.keys()) if (!needed.has(one)) waiting.delete(one);
    },
    rows() {
      for (const index of open()) compare(index);
      return [...pairs.keys()].flatMap((index) => found.get(index) ?? []);
    },
  };
}
