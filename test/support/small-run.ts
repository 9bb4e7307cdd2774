/** A finished run of a few tasks, made by the command as a user would. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { runCommand } from './command.ts';

const spec = `name: small
models:
  - { id: steady, provider: simulated, profile: { competence: 0.8, driftPerLoop: 0.2 } }
benchmarks:
  b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 4 } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 3, judge: none } }
`;

/** Its run folder, below `folder`. */
export async function smallRun(folder: string): Promise<string> {
  const path = join(folder, 'small.yaml');
  writeFileSync(path, spec);
  const { status, output } = await runCommand(['run', path, '--runs-dir', join(folder, 'runs')]);
  expect(status, output).toBe(0);
  return join(folder, 'runs', 'small');
}
