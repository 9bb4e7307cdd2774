import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../activities/plan-run.ts';
import { setBudget } from '../../cli/commands/control.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { createTerminal } from '../../cli/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const spec = (price: string): string => `
name: money
providers: { account: { kind: openai, baseUrl: "http://127.0.0.1:9/v1" } }
models: [{ id: unheard-of, provider: account${price} }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`;

/** Sets a budget of 5 dollars for a run that was planned without one; what is said of it. */
async function budgetOf(price: string): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(folder, 'spec.yaml'), spec(price));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger } = await planRun({ ...(await readSpecFile(join(folder, 'spec.yaml'))), runsDir: folder, runId: 'money', sandbox });
  ledger.close();
  const said: string[] = [];
  await setBudget('money', { usd: '5', runsDir: folder }, { ...createTerminal(false), out: (text) => said.push(text) });
  return said.join();
}

test('dollars are refused for a run that has a model without a price, and taken where all have one', async () => {
  await expect(budgetOf('')).rejects.toThrow('no price is known for unheard-of; in the spec, give the model price:');
  expect(await budgetOf(', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 }')).toContain('is now $5.00');
});
