/** Every export format meets the same demands: repeated exports are equal, and their reader can read them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../../activities/calls/accounts.ts';
import { type ExportFormatName, exportFormats } from '../../../activities/exchange/export-formats.ts';
import { checkRecording } from '../../../activities/providers/replay.ts';
import { createRuns, type Run, type Runs } from '../../../activities/runs/runs.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { variantLineSchema } from '../../../schemas/variant.ts';
import { studyOf } from '../../../studies/index.ts';
import { readLabels } from '../../../studies/labels/sample.ts';
import { runCommand } from '../../support/command.ts';

const spec = `name: whole
models: [{ id: sim, provider: simulated }, { id: labels, provider: simulated, study: false }]
benchmarks: { b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 2 } } }
studies:
  - { name: moods, kind: promptse, benchmark: b, settings: { samples: 1, variants: 1 } }
  - { name: detail, kind: specificity, benchmark: b, settings: { wordLimits: [10], draws: 1, labeller: labels } }
`;

let folder = '';
let runs: Runs;
let run: Run;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-exports-'));
  writeFileSync(join(folder, 'whole.yaml'), spec);
  const { status, output } = await runCommand(['run', join(folder, 'whole.yaml'), '--runs-dir', join(folder, 'runs')]);
  expect(status, output).toBe(0);
  runs = createRuns({ runsDir: join(folder, 'runs'), accounts: createAccounts(null) });
  const { uuid } = JSON.parse(readFileSync(join(folder, 'runs', 'whole', 'manifest.json'), 'utf8')) as { uuid: string };
  run = await runs.open({ runId: 'whole', uuid, epoch: 0 });
});
afterAll(async () => {
  await runs?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The reader of each format. */
const readers: Readonly<Record<ExportFormatName, (file: string, lines: readonly string[]) => unknown>> = {
  replay: async (file) => expect((await checkRecording(file)).simulated).toBe(true),
  variants: (_file, lines) => {
    for (const line of lines)
      expect(variantLineSchema.parse(JSON.parse(line))).toMatchObject({ task_id: expect.any(String) });
  },
  // No line is labelled yet; a labelled line is read back.
  'label-sample': (file, lines) => {
    const detail = run.spec.studies[1];
    const taxonomy = () => detail && studyOf(detail).labels?.taxonomy(detail);
    expect(readLabels(lines.join('\n'), file, taxonomy)).toEqual([]);
    const [line = ''] = lines;
    const { choices } = JSON.parse(line) as { choices: string[] };
    const labelled = JSON.stringify({ ...JSON.parse(line), themes: [choices[0]] });
    expect(readLabels(labelled, file, taxonomy)).toMatchObject([{ study: 'detail' }]);
  },
};

const documents = ['promptse.md', 'specificity.md', '../providers.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'studies', name), 'utf8'),
);

test.each(Object.keys(exportFormats) as ExportFormatName[])('%s: exports are equal and can be read', async (name) => {
  expect(documents.join('\n')).toContain(`--format ${name}`);
  const lines = [...exportFormats[name].lines(run, null)];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toBe(`${JSON.stringify(JSON.parse(line))}\n`);
  expect([...exportFormats[name].lines(run, null)]).toEqual(lines);
  expect(lines.length).toBe(new Set(lines).size);
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, lines.join(''));
  await readers[name](
    file,
    lines.map((line) => line.trimEnd()),
  );
});
