/** The end of a process of this program: with its status, and always. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Ends the process with `status`. No other file calls `process.exit`.
 *
 * `process.exit` waits for V8's background compiler, and that may wait for the main thread to finish a collection of
 * garbage that is under way: then neither ever ends (nodejs/node#54918). Just after a collection nothing waits for one.
 */
export function endProcess(status: number): never {
  setFlagsFromString('--no-concurrent-sparkplug');
  collectGarbage();
  return process.exit(status);
}

/** The function is in contexts that are made after the flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
