/** A model in two runs of which some answers could not be judged: how many tasks its difference is of. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { renderJson } from '../../../analysis/report/json.ts';
import { renderMarkdown } from '../../../analysis/report/text/report-markdown.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { collectReport } from '../../../studies/report.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const tasks = Array.from({ length: 12 }, (_, index) => `MBPP/${index}`);
const specOf = (name: string) =>
  parseSpec(
    `
name: ${name}
models: [{ id: gaps, provider: simulated }, { id: full, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: plain, kind: pass, benchmark: mbpp, settings: { samples: 1 } }]
`,
    `${name}.yaml`,
  );

/** Of `gaps`, tasks 0 and 1 were not judged in either run, and task 2 not in the later one. */
const outcome = (run: string, model: string, task: number): string =>
  model === 'gaps' && (task < 2 || (task === 2 && run === 'later')) ? 'missing_dependency' : 'pass';

function rowsOf(run: string, models: readonly string[]): Row[] {
  return models.flatMap((model) =>
    tasks.map((task_id, task) => ({
      ...{ run, study: 'plain', model, benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
      ...{ setting: 'default', repetition: 0, loop: 1, step: 'generate', sample: 0, ask: 0, simulated: false },
      ...{ suite: 'base', outcome: outcome(run, model, task), reply: 'x', reply_status: 'ok', answering_model: model },
    })),
  );
}

let folder = '';

async function opened(models: readonly string[]): Promise<RunDatabase> {
  const place = join(folder, models.join('-'));
  const page = 'plain/m/r1p0000';
  for (const run of ['earlier', 'later'])
    await writeRun(
      join(place, run),
      [
        { table: 'samples', page, rows: rowsOf(run, models) },
        { table: 'verdicts', page, rows: rowsOf(run, models) },
        { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      ],
      { runId: run, spec: specOf(run) },
    );
  return openRun(['earlier', 'later'].map((run) => join(place, run)));
}

let some: RunDatabase;
let all: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-judged-'));
  some = await opened(['gaps', 'full']);
  all = await opened(['full']);
});
afterAll(async () => {
  some.close();
  all.close();
  await rm(folder, { recursive: true });
});

// Red before: n = 12 alone, next to a difference of nine tasks.
test('the history of runs says how many tasks were judged in both', async () => {
  const report = await collectReport(some);
  const markdown = renderMarkdown(report);
  expect(markdown).toMatch(/\| Holm +\| Both judged +\| n +\|/);
  expect(markdown).toMatch(/^\| gaps +\| pass@1 .*\| 9 +\| 12 +\|$/m);
  expect(markdown).toMatch(/^\| full +\| pass@1 .*\| 12 +\| 12 +\|$/m);
  const { across } = JSON.parse(await renderJson(report)) as { across: { models: Row[] } };
  const counts = across.models
    .filter(({ metric }) => metric === 'pass_at_1')
    .map(({ model, n_judged: judged, n_tasks: n }) => [model, judged, n]);
  expect(counts).toContainEqual(['gaps', 9, 12]);
  expect(counts).toContainEqual(['full', 12, 12]);
});

test('where all answers were judged, there is no such column', async () => {
  const markdown = renderMarkdown(await collectReport(all));
  expect(markdown).toMatch(/\| Holm +\| n +\|/);
  expect(markdown).not.toMatch(/\| Both judged/);
});
