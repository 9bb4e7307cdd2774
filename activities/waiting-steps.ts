/**
 * Steps that Temporal is to try again much later wait in this process instead, where a pause reaches them at once. They
 * hold nothing of their page, and take no slot.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { againAtOnce, laterMs } from './failures.ts';
import { checkControl } from './runs/page-control.ts';
import type { RunPage } from './runs/opened/run.ts';

/** How often a waiting step or call looks for a stop of its run. */
const lookMs = 250;

export interface WaitingSteps {
  /** How many wait now. */
  count(): number;
  /**
   * Does the work. If it fails in a way that is to be tried again later, that time passes here first.
   * @param signal of the step
   */
  afterWait<T>(work: () => Promise<T>, page: () => Promise<RunPage>, signal: AbortSignal): Promise<T>;
}

/** @param drain aborted once the worker stops: another one then goes on with the step */
export function createWaitingSteps(drain: AbortSignal): WaitingSteps {
  let waiting = 0;
  return {
    count: () => waiting,
    async afterWait(work, page, signal) {
      try {
        return await work();
      } catch (error) {
        const ms = laterMs(error);
        if (ms === null || !(error instanceof ApplicationFailure)) throw error;
        waiting += 1;
        try {
          await waitForPage(await page(), ms, AbortSignal.any([signal, drain]));
          signal.throwIfAborted();
          await checkControl(await page(), drain);
        } finally {
          waiting -= 1;
        }
        throw againAtOnce(error);
      }
    },
  };
}

const waitForPage = ({ run, model }: RunPage, ms: number, end: AbortSignal): Promise<void> =>
  waitUnless(() => end.aborted || run.isStopped(model), ms, end).catch(() => {});

/** Waits, though no longer than until `isOver` is true or the signal aborts; then it rejects. */
export async function waitUnless(isOver: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
  const lastMs = performance.now() + ms;
  for (let leftMs = ms; leftMs > 0 && !isOver(); leftMs = lastMs - performance.now())
    await sleep(Math.min(leftMs, lookMs), undefined, { signal });
}
