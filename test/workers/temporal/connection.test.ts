/** A wait for a server that does not answer is named after a second, with the time when it began. */
import { expect, test } from 'vitest';
import { MissingPartError } from '../../../domain/errors.ts';
import { connectClient } from '../../../workers/temporal/connection.ts';

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

// Red when only a failed try is named: the first takes as long as the wait, which then seems to begin at its end.
test('the wait is said once, soon, and with its beginning', async () => {
  const waiting: { readonly line: string; readonly atMs: number }[] = [];
  const startMs = Date.now();
  const connecting = connectClient(
    { address: '127.0.0.1:1', namespace: 'default', apiKey: null, tls: null },
    { limitMs: 4_000, onWaiting: (line) => waiting.push({ line, atMs: Date.now() }) },
  );
  await expect(connecting).rejects.toThrow(MissingPartError);
  expect(waiting).toHaveLength(1);
  const [{ line, atMs }] = waiting as [(typeof waiting)[number]];
  expect(atMs - startMs).toBeLessThan(3_500);
  // Loading the client takes a while.
  const begins = [0, 1_000, 2_000].map((laterMs) => clock(startMs + laterMs));
  expect(
    begins.map((time) => `waiting for the Temporal server at 127.0.0.1:1 since ${time} UTC, for at most 4 s`),
  ).toContain(line.replace(/ \(.*\)$/, ''));
}, 20_000);
