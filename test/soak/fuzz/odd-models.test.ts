/**
 * Runs of drawn studies on models that answer oddly, EVENKEEL_ODD_ROUNDS of them (default: 3): each completes, commands
 * speak of it in numbers, and each number of its tables is one, within its interval.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { drawnSpec } from '../../fuzz/odd-models/drawn-spec.ts';
import { serveOddModels } from '../../fuzz/odd-models/odd-endpoint.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { numberFaults } from '../../support/tables/number-faults.ts';

const rounds = Number(process.env['EVENKEEL_ODD_ROUNDS'] ?? 3);
const firstSeed = Number(process.env['EVENKEEL_ODD_SEED'] ?? randomInt(2 ** 31 - rounds));

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment({ OPENAI_API_KEY: 'none' });
});
afterAll(() => deployment?.close());

test.each(Array.from({ length: rounds }, (_, round) => [firstSeed + round]))(
  'a run of odd models (EVENKEEL_ODD_SEED=%s EVENKEEL_ODD_ROUNDS=1)',
  async (seed) => {
    const name = `odd-${seed}`;
    const drawn = drawnSpec(seed);
    for (const [file, text] of Object.entries(drawn.benchmarks)) deployment.write(file, text);
    const endpoint = await serveOddModels(drawn.models);
    try {
      const spec = deployment.write(`${name}.yaml`, drawn.text(name, endpoint.port));
      expect(await faultsOf('run', spec)).toEqual([]);
    } finally {
      await endpoint.close();
    }
    const report = join(deployment.folder, `${name}.md`);
    const faults = [
      ...(await faultsOf('report', name, '--format', 'md', '--out', report)),
      ...faultsOfText('report', readFileSync(report, 'utf8')),
      ...(await faultsOf('compare', name, '--margin', '5')),
      ...(await faultsOf('power', name, '--detect', '10')),
      ...(await faultsOf('verify', name)),
      ...(await faultsOfTables(name)),
    ];
    expect(faults, JSON.stringify(drawn.models)).toEqual([]);
  },
);

/** Of a command on a complete run, which has nothing to refuse and no damage. */
async function faultsOf(...args: readonly string[]): Promise<string[]> {
  const { status, output } = await deployment.evenkeel(...args);
  const [command = ''] = args;
  const ended = status === 0 ? [] : [`${command} ended with status ${status}: ${output}`];
  return [...ended, ...faultsOfText(command, output)];
}

const slips = /\b(?:undefined|NaN|Infinity|(?:Type|Range|Reference)Error)\b|^\s+at .*\.[jt]s:\d/;

const faultsOfText = (command: string, text: string): string[] =>
  text.split('\n').flatMap((line) => (slips.test(line) ? [`${command} says: ${line}`] : []));

async function faultsOfTables(name: string): Promise<string[]> {
  const database = await openRun(join(deployment.runsDir, name));
  try {
    return await numberFaults(database);
  } finally {
    database.close();
  }
}
