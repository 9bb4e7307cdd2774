/** A finished run of one model with five pages, and the same run with all answers but no page sealed yet. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AnsweredRun } from '../answered-run.ts';
import type { Deployment } from '../deployment.ts';
import { unsealed } from './finish-kills.ts';
import { stableRows } from '../stable-rows.ts';
import { benchmarkText, tinyTasks } from '../tiny-tasks.ts';

/** 129 repetitions of 4 tasks are 516 cells: five pages of at most 128. */
export const manyPagesSpec = (samples: number): string => `
name: many
models: [{ id: sim, provider: simulated, profile: { competence: 0.8 } }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: tiny, repetitions: 129, settings: { samples: ${samples} } }]
`;

/** @param more as many pages more */
export async function manyPages(deployment: Deployment, more = 0): Promise<AnsweredRun> {
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(4)));
  const spec = manyPagesSpec(1).replace('129', String(129 + 32 * more));
  const end = await deployment.evenkeel('run', deployment.write('many.yaml', spec));
  expect(end.status, end.output).toBe(0);
  await unsealed(deployment.runsDir, 'many', 'half');
  return { whole: 'many', half: 'half', truth: await stableRows(join(deployment.runsDir, 'many')) };
}
