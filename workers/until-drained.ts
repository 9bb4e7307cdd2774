/** Drains a worker process on a signal or when the process that owns it dies. */
import type { Serving } from './serve.ts';

const ownerPollMs = 1_000;

/** Resolves when everything in flight is finished; rejects when a worker failed. */
export async function untilDrained(serving: Serving): Promise<void> {
  process.on('SIGTERM', serving.drain);
  process.on('SIGINT', serving.drain);
  const watch = onOrphaned(serving.drain);
  await serving.done;
  watch.stop();
}

/**
 * Calls `act` when the owner has died: a worker without its owner would go on spending. The owner passes its own pid,
 * since it may die before this process can read its parent's.
 */
export function onOrphaned(act: () => void): { stop(): void } {
  const owner = process.env['EVENKEEL_OWNER'];
  const timer = setInterval(() => {
    if (owner !== undefined && process.ppid !== Number(owner)) act();
  }, ownerPollMs).unref();
  return { stop: () => clearInterval(timer) };
}
