/** Entry of a benchmark's worker process: the real worker with a sandbox that runs nothing, which no spec can name. */
import { workerConfig } from '../../workers/config.ts';
import { serve } from '../../workers/serve.ts';
import { untilDrained } from '../../workers/until-drained.ts';
import { stubSandbox } from './stub-sandbox.ts';

/** Written to stderr when the worker is ready. */
export const readyLine = 'bench worker ready';

if (import.meta.main) {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const config = { ...workerConfig(process.env), referenceCache: null, executionCache: null };
  const serving = await serve(config, say, async () => stubSandbox);
  say(readyLine);
  await untilDrained(serving);
  process.exit(0);
}
