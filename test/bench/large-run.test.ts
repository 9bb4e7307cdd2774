/** A small form of `npm run bench -- report`: the size of the file, and which examples it holds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { writeLargeRun } from '../../bench/report/large-run.ts';
import { collectReport } from '../../studies/report.ts';
import { inFull, long } from '../support/forms/long.ts';

long(
  `2,500 cells of 35,000 answers: 2,000 examples, all flips before the others, below 8 MB${inFull}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-large-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { answers } = await writeLargeRun(join(folder, 'large'), { kind: 'pass', models: 25, tasks: 50 });
    expect(answers).toBe(35_000);
    const database = await openRun(join(folder, 'large'));
    onTestFinished(() => database.close());
    const report = await collectReport(database);
    expect(report.runs[0]).toMatchObject({ planned: 2_500, sealed: 2_500, missing: 0 });
    const drawn = await collectExamples(database);
    expect(drawn.examples).toHaveLength(2_000);
    expect(drawn.of).toBe(2_500);
    const isFlip = drawn.examples.map(({ flips }) => flips.length > 0);
    expect(isFlip).toEqual(isFlip.toSorted((a, b) => Number(b) - Number(a)));
    expect(isFlip.filter(Boolean)).toHaveLength(Math.min(drawn.flips, 2_000));
    expect((await renderReport(report, drawn)).length).toBeLessThan(8_000_000);
  },
  60_000,
);
