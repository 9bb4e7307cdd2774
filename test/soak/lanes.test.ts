/** A sweep of 20,000 pages and 500 models on the real server, with work that costs nothing: it prints what it took. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measuredSweep } from '../support/lanes/measured-sweep.ts';

test('a sweep of 20,000 pages keeps histories and payloads small, and processes under 600 MB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  try {
    const figures = await measuredSweep(folder, { models: 500, pages: 20_000, tasks: 10_000 });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.report).toEqual({ sealed: 20_000, stopped: {}, failed: 0 });
    expect(figures.events).toBeLessThan(2_000);
    expect(figures.payloadBytes).toBeLessThan(256_000);
    expect(figures.workerBytes).toBeLessThan(600e6);
    expect(figures.serverBytes).toBeLessThan(600e6);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
