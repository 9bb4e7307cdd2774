/** `demo`: a small run over four simulated models and the starter benchmark; all else is as in a real run. */
import { fileURLToPath } from 'node:url';
import type { ExitStatus } from '../exit-status.ts';
import type { Terminal } from '../output/terminal.ts';
import { run } from './run.ts';

/** Next to its benchmark; the same path in a clone and in the published package. */
const demoSpec = fileURLToPath(new URL('../../data/starter/demo.yaml', import.meta.url));

export async function demo(
  { runsDir, all }: { runsDir: string; all?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  // So that the demo is the same on every machine, whatever container engine it has.
  process.env['EVENKEEL_SANDBOX'] ??= 'embedded';
  terminal.note(
    'demo: EVALOOP, PromptSE, RobuNFR (pass only) and PartialOrderEval on four simulated models; needs no key, ' +
      'account or container engine; simulated models say nothing about real ones',
  );
  return run(demoSpec, { runsDir, ...(all === true && { all }) }, terminal);
}
