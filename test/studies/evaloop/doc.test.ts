import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { writeSampleRun } from '../../analysis/sample-run.ts';

test('the SQL of docs/studies/evaloop.md gives the survival curve: its first share is pass@1', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/studies/evaloop.md'), 'utf8');
  const sql = /```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-doc-'));
  await writeSampleRun(folder, {
    runId: 'r',
    models: [{ id: 'm', family: null, simulated: true, first: 0.8, later: 0.9 }],
    tasks: 40,
    maxLoops: 10,
    judge: null,
    withAsl: true,
    missing: 0,
  });
  const database = await openRun(folder);
  const curve = (await database.query(sql)).rows;
  const [[passAt1, drop] = []] = (await database.query('SELECT pass_at_1, absolute_drop FROM asl')).rows;
  database.close();
  await rm(folder, { recursive: true });
  expect(curve.map(([model, loop]) => [model, loop])).toEqual(
    Array.from({ length: 10 }, (_, index) => ['m', index + 1]),
  );
  expect(curve[0]?.[2]).toBe(passAt1);
  expect(Number(curve[0]?.[2]) - Number(curve[9]?.[2])).toBeCloseTo(Number(drop), 12);
});
