/** Names that every object of JavaScript has are names like any other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { writeSampleRun } from '../../analysis/sample-run.ts';

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-names-'));
  await writeSampleRun(join(folder, 'small'), {
    ...{ runId: 'small', tasks: 2, maxLoops: 2, judge: null, withAsl: true, missing: 0 },
    models: [{ id: 'm', family: null, simulated: true, first: 1, later: 1 }],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const refused = async (...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, EVENKEEL_RUNS: folder, EVENKEEL_CACHE: join(folder, 'cache') };
  const { status, stdout, stderr } = await runCommand([...args], env);
  expect([status, stdout]).toEqual([2, '']);
  return stderr;
};

// Red before: a stack trace, a report with the text "[object Object]", and a verb that did nothing.
test.each(['hasOwnProperty', '__proto__', 'toString', 'constructor'])(
  '%s is no provider, format or action',
  async (name) => {
    const spec = join(folder, `${name}.yaml`);
    writeFileSync(
      spec,
      `name: n
models: [{ id: a, provider: ${name} }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: s, kind: pass, benchmark: b }]
`,
    );
    expect(await refused('plan', spec)).toContain(`models.0.provider: no provider "${name}"; known: simulated, replay`);
    expect(await refused('report', 'small', '--format', name)).toContain(
      `must be one of html, md, json, csv, tex; got "${name}"`,
    );
    expect(await refused('schedule', name, 'x')).toContain(`unknown action "${name}"; must be one of create`);
  },
);
