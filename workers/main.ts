/** Entry of a worker process, started by `run` or by `evenkeel worker`. Ends by itself when its owner is gone. */
import { workerConfig } from './config.ts';
import { serve } from './serve.ts';
import { onOrphaned, untilDrained } from './until-drained.ts';

// Its reader may be gone: calls in flight are finished nevertheless.
process.stderr.on('error', () => undefined);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const starting = onOrphaned(() => process.exit(0));
const serving = await serve(workerConfig(process.env), say);
starting.stop();
await untilDrained(serving);
process.exit(0);
