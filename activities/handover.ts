/**
 * How a worker that joins a run gets steps that others are in the middle of. A step that asks holds its page for minutes, so a process that has several
 * gives its share of them to one that has none: such a step sends no new call, keeps the answers to those in flight, and fails in a way that Temporal tries again.
 */
import { handedOver } from './failures.ts';
import { type IdleWorkers, touchMs } from './storage/idle-workers.ts';

/** A step in hand. */
export interface HeldStep {
  /** Aborted, with the failure to end with, when the step is to go on elsewhere. */
  readonly leave: AbortSignal;
  /** Calls that a hand-over has to wait for. */
  inFlight: number;
  /** False once no call is left to be sent: then the step stays. */
  asks: boolean;
}

export interface Handover {
  /** From here on the process takes steps, and says when it has none. */
  begin(): void;
  /** True while steps that it gave away are on their way to others: then it had better take none. */
  isGiving(): boolean;
  /** Carries a step out. Throws at once where one comes back that is on its way to others. @param step the same in every attempt */
  hold<T>(step: string, work: (held: HeldStep) => Promise<T>): Promise<T>;
  /** No step is taken any more. */
  end(): void;
}

/** How long nothing may have been in hand before a process says so; one that has just begun says so at once. */
const idleAfterMs = 2_000;
/** How long a step is on its way: Temporal tries it again after a second, and an open poll of the process that gave it may bring it back first. */
const underWayMs = 3_000;
const turnsAway = 3;

interface Held extends HeldStep {
  readonly step: string;
  readonly controller: AbortController;
}

/** @param idle null in a process that takes no such steps, or that shares none */
export function createHandover(idle: IdleWorkers | null, nowMs = (): number => performance.now()): Handover {
  const steps = new Set<Held>();
  /** Steps that were given away last, and how often each may still be turned away. */
  const given = new Map<string, number>();
  let lastStepMs = -Infinity;
  let gaveMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const isGiving = (): boolean => nowMs() - gaveMs < underWayMs || steps.values().some(({ leave }) => leave.aborted);

  function look(): void {
    if (idle === null || isGiving()) return;
    given.clear();
    if (steps.size === 0 && nowMs() - lastStepMs >= idleAfterMs) idle.say();
    const others = steps.size < 2 ? 0 : idle.others();
    if (others > 0) give(steps.size - Math.ceil(steps.size / (others + 1)));
  }

  /** Those with the fewest calls in flight, since they can go at once; of equals those that began last. */
  function give(count: number): void {
    const movable = [...steps].filter(({ asks }) => asks).toReversed();
    for (const { step, controller } of movable.toSorted((a, b) => a.inFlight - b.inFlight).slice(0, count)) {
      given.set(step, turnsAway);
      controller.abort(handedOver());
    }
  }

  function turnAway(step: string): void {
    const turns = given.get(step) ?? 0;
    if (turns === 0 || !isGiving()) return;
    given.set(step, turns - 1);
    throw handedOver();
  }

  return {
    begin() {
      if (idle === null || timer !== undefined) return;
      look();
      timer = setInterval(look, touchMs).unref();
    },
    isGiving,
    async hold(step, work) {
      turnAway(step);
      const controller = new AbortController();
      const held: Held = { step, controller, leave: controller.signal, inFlight: 0, asks: true };
      steps.add(held);
      idle?.unsay();
      try {
        return await work(held);
      } catch (error) {
        if (held.leave.aborted) gaveMs = nowMs();
        throw error;
      } finally {
        steps.delete(held);
        lastStepMs = nowMs();
      }
    },
    end() {
      clearInterval(timer);
      idle?.unsay();
    },
  };
}
