/** The conditions that a policy may name are those that comparisons have. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { functionOnly } from '../../../analysis/gate/conditions.ts';
import type { GateMetricName } from '../../../domain/gate/metrics.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { unknownNames } from '../../../studies/across/policy-names.ts';
import { studyModels } from '../../../studies/plan.ts';
import { resultsOfKind } from '../../../studies/results.ts';

/** A run of an earlier version, with nearly every kind of study. */
const whole = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-policy-'));
let database: RunDatabase;

beforeAll(async () => {
  execFileSync('tar', ['-xzf', whole, '-C', folder]);
  database = await openRun([join(folder, 'before')]);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (metric: GateMetricName, dimension: string, workflow: string): string =>
  JSON.stringify([metric, dimension, workflow]);

test('each kind of study states exactly the conditions of its comparisons', async () => {
  const [manifest] = database.manifests;
  if (manifest === undefined) throw new Error('no run');
  const kinds: string[] = [];
  for (const study of manifest.spec.studies) {
    const [model = ''] = studyModels(manifest.spec, study);
    const side = { manifest, study, model };
    const { gate, conditions } = resultsOfKind(study.kind);
    const found = await Promise.all(
      gate.map((source) => source(database, { sides: [side, side], changed: new Set<string>() })),
    );
    const compared = found.flat().map(({ subject }) => text(subject.metric, subject.dimension, subject.workflow));
    const stated = (conditions?.(study) ?? [functionOnly('pass_at_1')]).flatMap((one) =>
      one.metrics.flatMap((metric) =>
        one.conditions.map(({ dimension, workflow }) => text(metric, dimension, workflow)),
      ),
    );
    // ASL needs a judge, which the run does not have.
    const expected = new Set(stated.filter((one) => !one.startsWith('["asl",')));
    expect([study.name, [...new Set(compared)].toSorted()]).toEqual([study.name, [...expected].toSorted()]);
    kinds.push(study.kind);
  }
  expect(kinds).toEqual(
    expect.arrayContaining(['evaloop', 'evaloop-translation', 'promptse', 'robunfr-regression', 'specificity']),
  );
});

const faultsOf = async (rule: object) =>
  (await unknownNames(database, gatePolicySchema.parse({ rules: [rule] }))).map((fault) => [
    fault.path.join('.'),
    fault.rule,
  ]);

test('names are those of the metric, and a metric that no study has is not checked', async () => {
  expect(await faultsOf({ metric: 'auc_e_excess', dimension: 'lihgt' })).toEqual([
    ['rules.0.dimension', 'unknown dimension "lihgt" of auc_e_excess: run before has full, light'],
  ]);
  expect(await faultsOf({ metric: 'sufficient_detail', dimension: 'summary 10' })).toEqual([
    [
      'rules.0.dimension',
      'unknown dimension "summary 10" of sufficient_detail: run before has summary, paragraphs, mask',
    ],
  ]);
  expect(await faultsOf({ metric: 'pass_at_detail', dimension: 'summary 10' })).toEqual([]);
  expect(await faultsOf({ metric: 'code_smell', dimension: 'security', workflow: 'nfr-integrated' })).toEqual([]);
  // A study without workflows has its dimensions as such.
  expect(await faultsOf({ metric: 'asl', workflow: 'nfr-enhanced' })).toEqual([
    ['rules.0.workflow', 'unknown workflow "nfr-enhanced" of asl: run before has function-only'],
  ]);
});
