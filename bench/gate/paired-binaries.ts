/** Simulated gates over pass@1 with one answer per task, with the gate's own estimate and verdict. */
import { estimateOf, type TaskValue } from '../../domain/gate/estimate.ts';
import { evaluateGate, type GateOutcome, type GateSubject } from '../../domain/gate/evaluate.ts';
import { gatePolicySchema } from '../../domain/gate/policy.ts';
import { uniform } from '../../domain/random.ts';

/** A pair of models: shares of tasks, in points, that only the old or only the new model passes. */
export interface PairedTruth {
  readonly lost: number;
  readonly gained: number;
}

export type OutcomeCounts = Readonly<Record<GateOutcome, number>>;

const subject: GateSubject = {
  metric: 'pass_at_1',
  benchmark: 'simulated',
  suite: 'base',
  dimension: 'function-only',
  workflow: 'function-only',
};

/** Verdicts of simulated gates of one size and margin. A verdict depends only on the counts, and is cached by them. */
export class PairedGates {
  readonly #n: number;
  readonly #margin: number;
  readonly #known = new Map<number, GateOutcome>();

  constructor(n: number, margin: number) {
    this.#n = n;
    this.#margin = margin;
  }

  outcomes({ lost, gained }: PairedTruth, gates: number, seed: number): OutcomeCounts {
    const random = uniform(seed);
    const found = { passed: 0, failed: 0, inconclusive: 0 };
    for (let gate = 0; gate < gates; gate += 1) {
      let [worse, better] = [0, 0];
      for (let task = 0; task < this.#n; task += 1) {
        const drawn = 100 * random();
        if (drawn < lost) worse += 1;
        else if (drawn < lost + gained) better += 1;
      }
      found[this.outcome(worse, better)] += 1;
    }
    return found;
  }

  outcome(worse: number, better: number): GateOutcome {
    const key = worse * (this.#n + 1) + better;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const outcome = this.#judged(worse, better);
    this.#known.set(key, outcome);
    return outcome;
  }

  #judged(worse: number, better: number): GateOutcome {
    const tasks = Array.from({ length: this.#n }, (_, task): TaskValue => {
      const old = task >= worse && task < worse + better ? 0 : 100;
      return { taskId: String(task), old, now: task < worse ? 0 : 100 };
    });
    const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: this.#margin }] });
    return evaluateGate(policy, [subject], (_subject, _level, question) =>
      estimateOf({ tasks, range: { kind: 'bounded', lo: 0, hi: 100 }, names: true }, question),
    ).outcome;
  }
}
