import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { planRun } from '../../activities/runs/plan-run.ts';
import { budgetCommand } from '../../cli/how-to-continue.ts';
import { setBudget } from '../../cli/commands/control.ts';
import { budgetNotes } from '../../cli/output/budget-notes.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { createTerminal } from '../../cli/output/terminal.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const spec = (price: string): string => `
name: money
providers: { account: { kind: openai, baseUrl: "http://127.0.0.1:9/v1" } }
models: [{ id: unheard-of, provider: account${price} }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny }]
`;

const budgetOf = (price: string, usd = '5', spentUsd = 0): Promise<string> =>
  budgetSet(price, { usd }, `reported_nano_usd = ${spentUsd * 1e9}`);

/** Sets the budget of a run planned without one; returns the output. */
async function budgetSet(
  price: string,
  wanted: { readonly usd?: string; readonly tokens?: string },
  spent: string,
): Promise<string> {
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
  await ledger.close();
  const file = new DatabaseSync(join(folder, 'money', 'ledger.sqlite'));
  file.exec(`update run set ${spent}`);
  file.close();
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  await setBudget('money', { ...wanted, runsDir: folder }, { ...createTerminal(false), out: say, note: say });
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

// Red before: a run that its tokens had stopped could be given dollars only, which changed nothing.
test('a budget in tokens can be set, needs no prices, and says when it is used up', async () => {
  const budget = (used: number) => budgetSet('', { tokens: '30000' }, `spent_tokens = ${used}`);
  expect(await budget(29_999)).toContain('budget of run "money" is now 30,000 tokens. If it had stopped');
  expect(await budget(29_999)).not.toContain('spent already');
  expect(await budget(30_000)).toContain('note: 30,000 of 30,000 tokens are spent already: raise that with --tokens');
});

// Red before: it said the new one only, though the other still held and stopped the run at once.
test('all limits that hold are named, also those set before, and those that are used up', async () => {
  const capped = `${priced} }]\nbudget: { usd: 0.15 }\n#`;
  const said = await budgetSet(capped, { tokens: '30000' }, `reported_nano_usd = ${0.16 * 1e9}`);
  expect(said).toContain('budget of run "money" is now $0.15 and 30,000 tokens, and both hold. If it had stopped');
  expect(said).toContain(
    'note: $0.16 are spent already, so the run makes no further calls that cost: raise that with --usd',
  );
});

// Red before: "none" was no number, and a limit that the spec does not name could be raised only.
test('none removes a limit, and the other one holds', async () => {
  const capped = `${priced} }]\nbudget: { usd: 0.15, tokens: 900 }\n#`;
  const set = (wanted: Parameters<typeof budgetSet>[1]) => budgetSet(capped, wanted, 'spent_tokens = 900');
  const said = await set({ tokens: 'none' });
  expect(said).toContain('budget of run "money" is now $0.15. If it had stopped');
  expect(said, 'tokens are used up, which no longer counts').not.toContain('spent already');
  expect(await set({ usd: 'none', tokens: 'none' })).toContain('is now without limit. If it had stopped');
});

test.each(['1e6', '2.5', '0', '-3', 'many', '', '99999999999999999999'])(
  '%j is no number of tokens',
  async (tokens) => {
    await expect(budgetSet('', { tokens }, 'spent_tokens = 0')).rejects.toThrow(
      '--tokens  must be a whole number of tokens above 0',
    );
  },
);

// Red before: --usd whatever the budget limits.
test.each([
  [{ usd: 2 }, '--usd DOLLARS'],
  [{ tokens: 20_000 }, '--tokens TOKENS'],
  [{ usd: 2, tokens: 20_000 }, '--usd DOLLARS --tokens TOKENS'],
])('a run that %j stopped is continued with %s', (budget, options) => {
  expect(budgetCommand({ runId: 'money', spec: { budget } }, '/runs')).toContain(
    `budget money ${options} --runs-dir /runs`,
  );
});

test('a budget without a limit is refused', async () => {
  await expect(budgetSet('', {}, 'spent_tokens = 0')).rejects.toThrow('--usd DOLLARS, or --tokens TOKENS');
});

// Red before: "as the spec says" of dollars that it never said, and they were removed with the next number of tokens.
test('where a limit comes from that the spec does not say is said', () => {
  const manifest = (budget: object) => ({ spec: { budget } }) as Manifest;
  const notes = (stated: object, before: object, now: object) =>
    budgetNotes('r', { budget: stated }, manifest(before), manifest(now));
  const [both] = notes({ tokens: 25_000 }, { usd: 0.12, tokens: 10_000 }, { usd: 0.12, tokens: 25_000 });
  expect(both).toMatch(
    /is \$0\.12 and 25,000 tokens now, as the spec says, with \$0\.12 as set by `.*evenkeel budget`; it was/,
  );
  expect(notes({ usd: 2 }, { usd: 1 }, { usd: 2 })[0]).toMatch(/is \$2\.00 now, as the spec says; it was \$1\.00$/);
});
