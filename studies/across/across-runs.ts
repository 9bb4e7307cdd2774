/** Several runs beside each other: what differs between them, and the models that they share. */
import type { AcrossRuns, ModelAcross, TaskOverlap } from '../../analysis/across/across-runs.ts';
import { runDifferences } from '../../analysis/across/run-differences.ts';
import type { RunDatabase } from '../../analysis/database.ts';
import { changedPromptsNotes } from '../../analysis/gate/changed-prompts.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { records } from '../../analysis/records.ts';
import type { ModelCalls } from '../../analysis/report/model-calls.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import { holmAdjusted } from '../../domain/statistics/tests/holm.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { studyComparisons } from '../compare.ts';
import { otherSuites } from './changed-tasks.ts';
import { resultsOfKind } from '../results.ts';
import { leftOutNotes, suiteNotes } from './run-notes.ts';
import { isSameTask, taskRecords } from './task-records.ts';
import { timeNotes } from './times-of-runs.ts';
import { type StudySides, wantedSides, withAnswers } from '../compared-models.ts';

/** Null for a single run. */
export async function acrossRuns(database: RunDatabase, calls: readonly ModelCalls[]): Promise<AcrossRuns | null> {
  const { manifests } = database;
  if (manifests.length < 2) return null;
  const pairs = manifests.slice(1).map((now, place) => [manifests[place] as Manifest, now] as const);
  const models: ModelAcross[] = [];
  const leftTimes: string[] = [];
  for (const [old, now] of pairs)
    for (const one of wantedSides(database, {})) {
      const found = await sharedModels(database, one, old, now);
      models.push(...found.models);
      leftTimes.push(...timeNotes(one.study, found.leftTimes));
    }
  const left: string[] = [];
  for (const pair of pairs) left.push(...(await leftOut(database, pair)));
  return {
    runs: manifests.map(({ runId }) => runId),
    differences: runDifferences(manifests, calls),
    tasks: await taskOverlaps(database, pairs),
    models,
    leftOut: [...new Set([...leftTimes, ...left])],
  };
}

/** Metrics that depend on a setting, and prompts, that are not the same in both runs. */
async function leftOut(database: RunDatabase, pair: readonly [Manifest, Manifest]): Promise<string[]> {
  const notes: string[] = [];
  for (const { study, sides } of wantedSides(database, {})) {
    const [old, now] = pair.map((manifest) => sides.find((side) => side.manifest === manifest));
    if (old === undefined || now === undefined) continue;
    const { neededSettings = [], comparedPrompts } = resultsOfKind(study.kind);
    notes.push(...leftOutNotes(study, [old, now], { all: neededSettings }));
    notes.push(...(await changedPromptsNotes(database, [old, now], comparedPrompts)));
  }
  return notes;
}

interface SharedModels {
  readonly models: readonly ModelAcross[];
  /** Times of any of them. */
  readonly leftTimes: readonly GateMetricName[];
}

/** Every model of the study that both runs have, in every metric but times. */
async function sharedModels(
  database: RunDatabase,
  { sides }: StudySides,
  old: Manifest,
  now: Manifest,
): Promise<SharedModels> {
  const found: Omit<ModelAcross, 'pHolm'>[] = [];
  const times = new Set<GateMetricName>();
  const answered = await withAnswers(database, sides);
  const sideOf = (manifest: Manifest, model: string): Side | undefined =>
    answered.find((side) => side.manifest === manifest && side.model === model);
  for (const { model } of answered.filter(({ manifest }) => manifest === now)) {
    const [own, other] = [sideOf(now, model), sideOf(old, model)];
    if (own === undefined || other === undefined) continue;
    const { comparisons, leftTimes } = await studyComparisons(database, [own, other], {
      byVariant: false,
      margin: 0,
      alpha: 0.05,
    });
    for (const metric of leftTimes) times.add(metric);
    found.push(...comparisons.map((comparison) => ({ old: old.runId, now: now.runId, model, comparison })));
  }
  return { models: adjusted(found), leftTimes: [...times] };
}

/** By metric, passing first, then by model. */
function adjusted(found: readonly Omit<ModelAcross, 'pHolm'>[]): ModelAcross[] {
  const metrics = Map.groupBy(found, ({ comparison: { subject } }) => JSON.stringify(subject));
  const isPassing = ([one]: readonly Omit<ModelAcross, 'pHolm'>[]): boolean =>
    one?.comparison.subject.metric === 'pass_at_1';
  const inOrder = [...metrics.values()].toSorted((a, b) => Number(isPassing(b)) - Number(isPassing(a)));
  return inOrder.flatMap((own) => {
    const holm = holmAdjusted(own.map(({ comparison }) => comparison.pairs[0]?.p ?? null));
    return own.map((one, place) => ({ ...one, pHolm: holm[place] ?? 1 }));
  });
}

async function taskOverlaps(
  database: RunDatabase,
  pairs: readonly (readonly [Manifest, Manifest])[],
): Promise<TaskOverlap[]> {
  const recordsOf = await taskRecords(database);
  const rows = await records(database, 'select distinct benchmark from tasks order by all');
  const benchmarks = rows.map((row) => textOf(row, 'benchmark'));
  const found = pairs.flatMap((pair) =>
    benchmarks.map(async (benchmark) => {
      const [{ runId: old }, { runId: now }] = pair;
      const [before, after] = [recordsOf(old, benchmark), recordsOf(now, benchmark)];
      if (before.size + after.size === 0) return [];
      const others = new Set((await otherSuites(database, pair, benchmark)).flatMap(({ taskIds }) => taskIds));
      const shared = [...before.keys()].filter((task) => after.has(task));
      const changed = shared.filter((task) => !isSameTask(before.get(task), after.get(task)));
      const judged = shared.filter((task) => others.has(task) && !changed.includes(task));
      return {
        ...{ old, now, benchmark, same: shared.length - changed.length - judged.length, changed },
        ...{ otherSuites: judged, suiteNotes: await suiteNotes(database, pair, benchmark, new Set(changed)) },
        onlyOld: [...before.keys()].filter((task) => !after.has(task)),
        onlyNow: [...after.keys()].filter((task) => !before.has(task)),
      };
    }),
  );
  return (await Promise.all(found)).flat();
}
