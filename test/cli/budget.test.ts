import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { planRun } from '../../activities/runs/plan-run.ts';
import { setBudget } from '../../cli/commands/control.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { createTerminal } from '../../cli/output/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const spec = (price: string): string => `
name: money
providers: { account: { kind: openai, baseUrl: "http://127.0.0.1:9/v1" } }
models: [{ id: unheard-of, provider: account${price} }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`;

/** Sets the budget of a run planned without one; returns the output. */
async function budgetOf(price: string, usd = '5', spentUsd = 0): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(folder, 'spec.yaml'), spec(price));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger } = await planRun({
    ...(await readSpecFile(join(folder, 'spec.yaml'))),
    runsDir: folder,
    runId: 'money',
    sandbox,
  });
  ledger.close();
  const file = new DatabaseSync(join(folder, 'money', 'ledger.sqlite'));
  file.exec(`update run set reported_nano_usd = ${spentUsd * 1e9}`);
  file.close();
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  await setBudget('money', { usd, runsDir: folder }, { ...createTerminal(false), out: say, note: say });
  return said.join();
}

test('a USD budget is refused if a model has no price, and accepted if all have one', async () => {
  await expect(budgetOf('')).rejects.toThrow('no price known for unheard-of; in the spec, give the model price:');
  expect(await budgetOf(', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 }')).toContain('is now $5.00');
});

const priced = ', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 }';

test('a budget below what is spent says that no further call is made', async () => {
  expect(await budgetOf(priced, '2.5', 2)).not.toContain('spent already');
  expect(await budgetOf(priced, '1e-2', 3)).toContain(
    'note: $3.00 are spent already, so the run makes no further calls that cost',
  );
});

test.each(['0x10', '1_000', ' 5', '5 dollars', '-1', '0', '1e400', ''])('%j is no budget', async (usd) => {
  await expect(budgetOf(priced, usd)).rejects.toThrow('must be a number of US dollars above 0');
});
