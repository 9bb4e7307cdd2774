/**
 * Lets a worker that joins a run take over steps in progress. A step that asks models holds its page for minutes, so a
 * process with several steps gives a share of them to an idle one. A step given away sends no new call, stores the
 * answers to calls in flight, and fails in a way that Temporal retries.
 */
import { handedOver } from '../failures.ts';
import { type IdleWorkers, touchMs } from '../storage/idle-workers.ts';

/** A step in progress in this process. */
export interface HeldStep {
  /** Aborted when the step must continue elsewhere; the reason is the failure to throw. */
  readonly leave: AbortSignal;
  /** Calls in flight, which a handover waits for. */
  inFlight: number;
  /** False once no call is left to send: the step then stays here. */
  asks: boolean;
}

export interface Handover {
  /** Call when the process starts to take steps; it then announces when it is idle. */
  begin(): void;
  /** True while steps are being handed over: this process should then take none, to not take them back. */
  isHandingOver(): boolean;
  /**
   * Runs a step. Throws at once if the step was just handed over to another process.
   * @param step the same in every attempt
   */
  hold<T>(step: string, work: (held: HeldStep) => Promise<T>): Promise<T>;
  /** Call when a step was refused because its run uses other keys: for a while, no step is offered to this process. */
  refused(): void;
  /** Call when the process takes no more steps. */
  end(): void;
}

/** A process announces that it is idle after this long without a step; a new process does so at once. */
const idleAfterMs = 2_000;
/**
 * How long a handover takes: Temporal retries the step after a moment, and an open poll of the process that gave it
 * away may receive it first.
 */
const handoverMs = 3_000;
const turnAwayLimit = 3;
/** A process that refused a step announces nothing for this long: steps given to it would only come back. */
const afterRefusalMs = 60_000;

interface Held extends HeldStep {
  readonly step: string;
  readonly controller: AbortController;
}

/** @param idle null in a process that takes no such steps or shares none */
export function createHandover(idle: IdleWorkers | null, nowMs = (): number => performance.now()): Handover {
  return new StepHandover(idle, nowMs);
}

class StepHandover implements Handover {
  readonly #idle: IdleWorkers | null;
  readonly #nowMs: () => number;
  readonly #steps = new Set<Held>();
  /** Steps just given away, and how many more times each is turned away. */
  readonly #givenAway = new Map<string, number>();
  #lastStepMs = -Infinity;
  #gaveMs = -Infinity;
  #refusedMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(idle: IdleWorkers | null, nowMs: () => number) {
    this.#idle = idle;
    this.#nowMs = nowMs;
  }

  readonly isHandingOver = (): boolean =>
    this.#nowMs() - this.#gaveMs < handoverMs || this.#steps.values().some(({ leave }) => leave.aborted);

  readonly begin: Handover['begin'] = () => {
    if (this.#idle === null || this.#timer !== undefined) return;
    this.#look();
    this.#timer = setInterval(() => this.#look(), touchMs).unref();
  };

  readonly hold: Handover['hold'] = async (step, work) => {
    this.#refuseGivenAway(step);
    const controller = new AbortController();
    const held: Held = { step, controller, leave: controller.signal, inFlight: 0, asks: true };
    this.#steps.add(held);
    this.#idle?.withdraw();
    try {
      return await work(held);
    } catch (error) {
      if (held.leave.aborted) this.#gaveMs = this.#nowMs();
      throw error;
    } finally {
      this.#steps.delete(held);
      this.#lastStepMs = this.#nowMs();
    }
  };

  readonly refused: Handover['refused'] = () => {
    this.#refusedMs = this.#nowMs();
    this.#idle?.withdraw();
  };

  readonly end: Handover['end'] = () => {
    clearInterval(this.#timer);
    this.#idle?.withdraw();
  };

  #look(): void {
    if (this.#idle === null || this.isHandingOver()) return;
    this.#givenAway.clear();
    if (this.#isIdle()) this.#idle.say();
    const others = this.#steps.size < 2 ? 0 : this.#idle.others();
    if (others > 0) this.#give(this.#steps.size - Math.ceil(this.#steps.size / (others + 1)));
  }

  #isIdle(): boolean {
    const nowMs = this.#nowMs();
    return (
      this.#steps.size === 0 && nowMs - this.#lastStepMs >= idleAfterMs && nowMs - this.#refusedMs >= afterRefusalMs
    );
  }

  /**
   * Gives away the steps with the fewest calls in flight, since they can leave soonest;
   * among equals, the latest started.
   */
  #give(count: number): void {
    const movable = [...this.#steps].filter(({ asks }) => asks).toReversed();
    for (const { step, controller } of movable.toSorted((a, b) => a.inFlight - b.inFlight).slice(0, count)) {
      this.#givenAway.set(step, turnAwayLimit);
      controller.abort(handedOver());
    }
  }

  #refuseGivenAway(step: string): void {
    const turns = this.#givenAway.get(step) ?? 0;
    if (turns === 0 || !this.isHandingOver()) return;
    this.#givenAway.set(step, turns - 1);
    throw handedOver();
  }
}
