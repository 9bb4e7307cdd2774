/** The end of a process of ours: with its status, and always. */
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a batch of functions takes to compile. */
const pauseMs = 20;

/**
 * Ends the process with `status`.
 *
 * `process.exit` waits for V8's background threads. One that compiles may at that moment wait for the main thread to
 * collect garbage, and then neither ever ends (nodejs/node#54918; seen once in some thousand commands). So background
 * compiling is turned off, and what has begun may end while this thread is still there for it.
 */
export async function endProcess(status: number): Promise<never> {
  setFlagsFromString('--no-concurrent-sparkplug');
  await sleep(pauseMs);
  return process.exit(status);
}
