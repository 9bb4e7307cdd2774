/** Commands on a finished run that an earlier version made. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';

const whole = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-finished-'));
const runsDir = join(folder, 'runs');
const evenkeel = (...args: readonly string[]) => runCommand([...args, '--runs-dir', runsDir, '--json']);

beforeAll(() => {
  mkdirSync(runsDir);
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Red before: only stdout and the Markdown had them.
test('a gate writes its notes to the JUnit file', async () => {
  const [policy, junit] = [join(folder, 'policy.yaml'), join(folder, 'gate.xml')];
  writeFileSync(policy, 'rules: [{ metric: asl, margin: 5 }]');
  const end = await evenkeel('gate', 'before', '--policy', policy, '--junit', junit);
  const { notes } = JSON.parse(end.stdout) as { readonly notes: readonly string[] };
  expect(notes).toContainEqual(expect.stringContaining('rule 1 (asl) applies to nothing'));
  const text = readFileSync(junit, 'utf8').replaceAll('&quot;', '"');
  expect(text).toContain(`<system-out>${notes.join('\n')}</system-out>`);
});

// Red before: status 5 and a note, which a nightly job takes for no alarm. Up to decision 133 of a dimension too.
test('a policy with names that no run has is bad input, with the line and the names that there are', async () => {
  const policy = join(folder, 'misspelled.yaml');
  const rules = [
    'suite: bsae',
    'benchmark: strater',
    'suite: base, benchmark: starter',
    'dimension: speed',
    'workflow: nfr-enhanced',
  ];
  writeFileSync(policy, `rules:\n${rules.map((where) => `  - { metric: pass_at_1, ${where}, margin: 5 }\n`).join('')}`);
  const { status, stderr } = await evenkeel('gate', 'before', '--policy', policy);
  expect(status).toBe(2);
  expect(stderr.split('\n').filter((line) => line.includes('unknown'))).toEqual([
    `${policy}:2:33  rules.0.suite: unknown suite "bsae": run before has base, plus`,
    `${policy}:3:37  rules.1.benchmark: unknown benchmark "strater": run before has starter, python`,
    `${policy}:5:37  rules.3.dimension: unknown dimension "speed" of pass_at_1: run before has function-only, ` +
      'security, readability',
  ]);
});

test('of a run that lacks cells, which may have the suite, a suite is not refused', async () => {
  cpSync(join(runsDir, 'before'), join(runsDir, 'going'), { recursive: true });
  const path = join(runsDir, 'going/manifest.json');
  const { sha256: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as {
    plan: { cells: number }[];
    sha256?: string;
  };
  manifest.plan[0] = { ...manifest.plan[0], cells: (manifest.plan[0]?.cells ?? 0) + 3 };
  writeFileSync(path, JSON.stringify({ ...manifest, runId: 'going' }));
  const policy = join(folder, 'later.yaml');
  writeFileSync(policy, 'rules: [{ metric: pass_at_1, suite: later, margin: 5 }]');
  expect((await evenkeel('gate', 'going', '--policy', policy)).status).toBe(5);
});

// Red before: "is already complete" alone, also of a run whose ledger or inputs are damaged: they are not read.
test('resume of a complete run says what checks its files', async () => {
  const { status, stderr } = await evenkeel('resume', 'before');
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^run "before" is already complete, so nothing is asked; .*evenkeel verify before --runs-dir \S+ checks all/m,
  );
});

// Red before: nothing on stdout.
test.each(['pause', 'cancel'])('%s of a finished run says as JSON that nothing was stopped', async (verb) => {
  const { status, stdout, stderr } = await evenkeel(verb, 'before');
  expect([status, JSON.parse(stdout)]).toEqual([0, { run: 'before', stop: null, state: 'complete' }]);
  expect(stderr).toContain(`nothing to ${verb}`);
});
