/** Commands on a finished run that an earlier version made. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  writeFileSync(policy, 'rules: [{ metric: pass_at_1, suite: bsae, margin: 5 }]');
  const end = await evenkeel('gate', 'before', '--policy', policy, '--junit', junit);
  const { notes } = JSON.parse(end.stdout) as { readonly notes: readonly string[] };
  expect(notes).toContainEqual(expect.stringContaining('unknown suite "bsae"'));
  const text = readFileSync(junit, 'utf8').replaceAll('&quot;', '"');
  expect(text).toContain(`<system-out>${notes.join('\n')}</system-out>`);
});

// Red before: nothing on stdout.
test.each(['pause', 'cancel'])('%s of a finished run says as JSON that nothing was stopped', async (verb) => {
  const { status, stdout, stderr } = await evenkeel(verb, 'before');
  expect([status, JSON.parse(stdout)]).toEqual([0, { run: 'before', stop: null, state: 'complete' }]);
  expect(stderr).toContain(`nothing to ${verb}`);
});
