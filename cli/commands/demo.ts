/** `demo`: a small sweep over four simulated models and the starter benchmark, on the real parts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import type { ExitStatus } from '../exit-status.ts';
import { starterBenchmark } from '../starter.ts';
import type { Terminal } from '../terminal.ts';
import { run } from './run.ts';

export async function demo({ runsDir, all }: { runsDir: string; all?: boolean }, terminal: Terminal): Promise<ExitStatus> {
  // The same on every machine, whatever engine it has.
  process.env['EVENKEEL_SANDBOX'] ??= 'embedded';
  const folder = join(runsDir, '.demo');
  makeFolder(folder);
  const spec = join(folder, 'demo.yaml');
  writeFileSync(spec, demoSpec(starterBenchmark));
  terminal.note(
    'demo: EVALOOP, PromptSE, RobuNFR (pass only) and PartialOrderEval on four simulated models; no key, no account, no engine; simulated models say nothing about real ones',
  );
  return run(spec, { runsDir, ...(all === true && { all }) }, terminal);
}

const demoSpec = (path: string): string => `# What \`npm run demo\` runs. Copy it, put your own models in, and give it to \`evenkeel run\`.
name: demo
seed: 7
models:
  - { id: strong-sim, provider: simulated, profile: strong }
  - { id: drifting-sim, provider: simulated, profile: drifting }
  - { id: weak-sim, provider: simulated, profile: weak }
  - { id: faulty-sim, provider: simulated, profile: faulty }
  - { id: judge-sim, provider: simulated, profile: judge, study: false }
benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(path)} }
  moods: { format: evenkeel, path: ${JSON.stringify(path)}, tasks: { limit: 8 } }
studies:
  - { name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 10, judge: judge-sim } }
  - { name: moods, kind: promptse, benchmark: moods, models: [strong-sim, weak-sim, faulty-sim], settings: { variants: 4, samples: 8 } }
  - { name: detail, kind: specificity, benchmark: moods, models: [strong-sim, weak-sim], settings: { wordLimits: [10, 25, 75], ratios: [0.5], maskRatios: [0.5], draws: 2 } }
  # Quality and time need the container sandbox; here it is pass only.
  # So does EVALOOP’s translation chain, which is not here: docs/studies/chain.md.
  - { name: update, kind: robunfr-regression, benchmark: moods, repetitions: 3, settings: { dimensions: [{ name: reliability, phrasings: [Incorporate various error handling techniques, Implement multiple exception handling strategies, Apply different error handling mechanisms] }], pairs: [[strong-sim, weak-sim]] } }
`;
