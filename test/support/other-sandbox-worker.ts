/** Entry of a worker process whose sandbox has another image than this machine's, and runs nothing. */
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { workerConfig } from '../../workers/config.ts';
import { serve } from '../../workers/serve.ts';
import { untilDrained } from '../../workers/until-drained.ts';

/** Written to stderr when the worker is ready. */
export const readyLine = 'other sandbox ready';

if (import.meta.main) {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const serving = await serve(workerConfig(process.env), say, async () => ({
    ...(await openSandbox()),
    imageDigest: 'another image',
  }));
  say(readyLine);
  await untilDrained(serving);
}
