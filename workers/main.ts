/** Entry of a worker process, started by `run` or by `evenkeel worker`. Exits when its owner dies. */
import { InputError, MissingPartError } from '../domain/errors.ts';
import { beatToOwner } from './beats/beat.ts';
import { workerConfig } from './config.ts';
import { endProcess } from '../activities/apart/end-process.ts';
import { type Serving, serve } from './serve.ts';
import { onOrphaned, untilDrained } from './until-drained.ts';

// The process that reads stderr may have died; calls in flight are finished nevertheless.
process.stderr.on('error', () => undefined);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

beatToOwner();
const starting = onOrphaned(() => endProcess(0));
const serving = await serveOrExit();
starting.stop();
await untilDrained(serving);
endProcess(0);

/** Prints errors that a person can fix as a message without a stack, as the command that started this process does. */
async function serveOrExit(): Promise<Serving> {
  try {
    return await serve(workerConfig(process.env), say);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof MissingPartError)) throw error;
    say(error.message);
    return endProcess(2);
  }
}
