/** Joining expositions, addresses, and the list of names in the documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { metricsAddress } from '../../../workers/metrics/address.ts';
import { joinedMetrics } from '../../../workers/metrics/metrics-text.ts';
import { progressMetrics } from '../../../workers/metrics/progress-metrics.ts';
import { countLedgerGroups, runMetrics } from '../../../workers/metrics/run-metrics.ts';

test('a family that several processes expose has its head once and all samples', () => {
  const one = (value: number) => `# HELP a_total Some.\n# TYPE a_total counter\na_total{process="${value}"} ${value}\n`;
  const head = '# HELP a_total Some.\n# TYPE a_total counter\n';
  expect(joinedMetrics([one(1), '', `${one(2)}# TYPE b gauge\nb 3\n# EOF\n`])).toBe(
    `${head}a_total{process="1"} 1\na_total{process="2"} 2\n# TYPE b gauge\nb 3\n`,
  );
});

test.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['', null],
])('%s is an address', (text, address) => {
  expect(metricsAddress({ EVENKEEL_METRICS: text })).toEqual(address);
});

test.each(['localhost', '70000', 'a:b', ':'])('%s is none', (text) => {
  expect(() => metricsAddress({ EVENKEEL_METRICS: text })).toThrow(/EVENKEEL_METRICS {2}must be PORT or HOST:PORT/);
});

test('the documents name every metric of evenkeel, and no other', async () => {
  const registry = new Registry();
  runMetrics(registry);
  countLedgerGroups(registry);
  const ledger = openLedger(join(temporaryFolder(), 'ledger.sqlite'));
  const texts = [await registry.metrics(), await progressMetrics('r', ledger)()];
  await ledger.close();
  const names = texts.flatMap((text) => [...text.matchAll(/^# TYPE (evenkeel_\w+)/gm)].map(([, name = '']) => name));
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/metrics.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(evenkeel_\w+)`/gm)].map(([, name = '']) => name);
  expect(documented.toSorted()).toEqual(names.toSorted());
});
