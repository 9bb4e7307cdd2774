/**
 * The study over all of MBPP+ in a container and in the embedded sandbox:
 * the same tables, save for what says where programs ran.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineEnvironment, engineNote, withoutEngine } from '../sandbox/container/engine.ts';
import { openDeployment } from '../support/deployment.ts';
import { expectWholeRun, mbppPlus } from '../support/mbpp-plus-run.ts';
import { stableRows } from '../support/stable-rows.ts';

/** Columns that name the sandbox, or that are hashes over its name. */
const ofTheSandbox = ['tier', 'engine', 'image_digest', 'execution_id'];

const tasks = Number(process.env['EVENKEEL_SOAK_TASKS'] ?? 378);

test.skipIf(!mbppPlus.isThere || withoutEngine)(
  `${tasks} tasks of MBPP+ give the same tables in a container and in the embedded ` +
    `sandbox${mbppPlus.note}${engineNote}`,
  async () => {
    const inContainer = await tablesOf(engineEnvironment());
    const embedded = await tablesOf({ EVENKEEL_SANDBOX: 'embedded' });
    for (const [table, rows] of Object.entries(embedded)) {
      expect.soft(missing(inContainer[table], rows), `only in the container's ${table}`).toEqual([]);
      expect.soft(missing(rows, inContainer[table]), `only in the embedded ${table}`).toEqual([]);
    }
    expect(inContainer['verdicts']?.length).toBeGreaterThan(4 * tasks);
  },
);

async function tablesOf(env: NodeJS.ProcessEnv): Promise<Record<string, string[]>> {
  const deployment = await openDeployment(env);
  try {
    await expectWholeRun(deployment, tasks);
    return await stableRows(join(deployment.runsDir, 'mbpp'), ofTheSandbox);
  } finally {
    await deployment.close();
  }
}

const missing = (rows: readonly string[] = [], from: readonly string[] = []): string[] => {
  const there = new Set(from);
  return rows.filter((row) => !there.has(row));
};
