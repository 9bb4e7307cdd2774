/** `plan` of what `run` refuses on this machine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Red before: `plan` gave the cost and status 0, and nothing said that `run` would refuse the spec.
test('programs that need another sandbox are told before the cost, which holds for another machine', async () => {
  const folder = temporaryFolder();
  const record = {
    task_id: 'MBPHP/1',
    language: 'php',
    prompt: '<?php\n/**\n * Add.\n */\nfunction add($a, $b) {\n',
    description: 'Add.',
    test: 'if (add(1, 2) !== 3) { throw new Exception("no"); }\n',
    entry_point: 'add',
    canonical_solution: '    return $a + $b;\n}\n',
  };
  writeFileSync(join(folder, 'php.jsonl'), `${JSON.stringify(record)}\n`);
  const spec = join(folder, 'php.yaml');
  writeFileSync(
    spec,
    `
name: php
models: [{ id: a, provider: simulated }]
benchmarks: { php: { format: mxeval, path: php.jsonl } }
studies: [{ name: plain, kind: pass, benchmark: php }]
`,
  );
  const env = { ...process.env, EVENKEEL_RUNS: join(folder, 'runs'), EVENKEEL_SANDBOX: 'embedded' };
  const rule = "programs in php need the container sandbox, this machine's is embedded";
  const planned = await runCommand(['plan', spec], env);
  expect(planned.status, planned.output).toBe(0);
  expect(planned.stdout).toContain(`note: \`run\` is refused on this machine: ${rule}`);
  const started = await runCommand(['run', spec], env);
  expect([started.status, started.stderr]).toEqual([2, expect.stringContaining(rule)]);
});
