/** What a run that met damage says at its end: to resume it meets the same damage again. */
import { expect, test } from 'vitest';
import { CorruptionError } from '../../../domain/errors.ts';
import { howToContinue } from '../../../cli/how-to-continue.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

const endedBy = (stateDetail: string): string =>
  howToContinue({ runId: 'inc', stateDetail } as unknown as Manifest, 'runs', {
    ...{ retry: undefined, strict: [], specPath: undefined },
  });

const damage = new CorruptionError('/runs/inc/ledger.sqlite', 'database disk image is malformed').message;

// Red before: "Continue with: resume inc" below "restore the run folder from a copy".
test('advises to restore the folder, and not to resume, after damage that only a copy mends', () => {
  const why = `failed pages: 0 pages stopped, 1 failed\n  failed: ${damage}`;
  expect(endedBy(why)).toBe(`the run is incomplete: ${why}`);
  expect(endedBy(`a step failed five times, the last time with: Error: ${damage}`)).not.toContain('Continue with');
});

test('names the remedy even where the reason has another, or none', () => {
  const budget = `budget, failed pages: 1 page stopped, 1 failed\n  failed: ${damage}`;
  expect(endedBy(budget)).not.toMatch(/evenkeel budget|Continue with/);
  expect(endedBy('a step failed five times, the last time with: Error: database disk image is malformed')).toBe(
    'the run is incomplete: a step failed five times, the last time with: Error: database disk image is malformed\n' +
      'restore the run folder from a copy, "evenkeel verify" lists what is damaged',
  );
});

test('advises to resume after damage that another command mends', () => {
  const part = new CorruptionError('loops/p.parquet', 'its SHA-256 is not 0', 'evenkeel verify inc --repair').message;
  expect(endedBy(part)).toMatch(/Continue with:\n {2}.* resume inc/);
});
