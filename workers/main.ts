/** Entry of a worker process, started by `run` or by `evenkeel worker`. Ends by itself when its owner is gone. */
import { InputError, MissingPartError } from '../domain/errors.ts';
import { workerConfig } from './config.ts';
import { type Serving, serve } from './serve.ts';
import { onOrphaned, untilDrained } from './until-drained.ts';

// Its reader may be gone: calls in flight are finished nevertheless.
process.stderr.on('error', () => undefined);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const starting = onOrphaned(() => process.exit(0));
const serving = await serveOrSay();
starting.stop();
await untilDrained(serving);
process.exit(0);

/** What a person can mend is said in words, as the command does that started this process. */
async function serveOrSay(): Promise<Serving> {
  try {
    return await serve(workerConfig(process.env), say);
  } catch (error) {
    if (!(error instanceof InputError || error instanceof MissingPartError)) throw error;
    say(error.message);
    process.exit(2);
  }
}
