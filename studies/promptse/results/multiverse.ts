/** PromptSE in a multiverse: what depends on the unit of |delta pass| and on the definition of confidence. */
import { confidenceDefinitions, taskOverconfidence } from './calibration/confidence.ts';
import { elasticitySource } from './gate.ts';
import { modelDeltas } from './affect/model-affect.ts';
import { type Delta, effectIntervals } from './questions/delta-effect.ts';
import { deltasOf, type DeltaUnit, factsOf, taskDeltas } from './questions/deltas.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { type Side, sharedTasks, type ValueByTask } from '../../../analysis/gate/compared.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import { type ChosenSource, type MeasuredEffect, withoutOwnChoices } from '../../../analysis/multiverse/measured.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { groupOf, groupsOf } from '../../../domain/metrics/model-groups.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { cliffsDelta } from '../../../domain/statistics/tests/cliffs-delta.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;
type Sides = readonly [Side<PromptseStudy>, ...Side<PromptseStudy>[]];

const overconfidence: ChosenSource<PromptseStudy> = {
  choices: [{ name: 'confidence_definition', options: () => confidenceDefinitions }],
  async read(database, sides, options) {
    const definition = confidenceDefinitions.find((one) => one === options.confidence_definition) ?? 'geometric mean';
    const values = await Promise.all(
      sides.map(async ({ manifest, study, model }): Promise<ValueByTask> => {
        const rows = await taskOverconfidence(database, { run: manifest.runId, study: study.name, model }, definition);
        return new Map(rows.map((row) => [textOf(row, 'task_id'), numberOf(row, 'gap')]));
      }),
    );
    // Models without log-probabilities have none.
    if (values.some(({ size }) => size === 0)) return [];
    return [
      {
        ...{ kind: 'tasks', metric: 'overconfidence', dimension: 'function-only', workflow: 'function-only' },
        ...{ unit: 'probability', direction: null, isSigned: true, range: { kind: 'bounded', lo: -1, hi: 1 } },
        tasks: sharedTasks(values, new Set()),
      },
    ];
  },
};

const deltaUnits = ['task', 'distance', 'emotion'] as const satisfies readonly DeltaUnit[];

const groups: ChosenSource<PromptseStudy> = {
  choices: [
    {
      name: 'delta_unit',
      options: ({ settings: { deltaUnit } }) => [deltaUnit, ...deltaUnits.filter((unit) => unit !== deltaUnit)],
    },
  ],
  async read(database, sides, options) {
    if (sides.length === 1) return [];
    const unit = deltaUnits.find((one) => one === options.delta_unit) ?? 'task';
    const { deltas, tasks } = await deltasBy(database, sides, unit);
    return (['size', 'family'] as const).flatMap((by) => groupEffects(deltas, by).map((one) => ({ ...one, tasks })));
  },
};

async function deltasBy(
  database: RunDatabase,
  sides: Sides,
  unit: DeltaUnit,
): Promise<{ readonly deltas: readonly Delta[]; readonly tasks: number }> {
  const [{ manifest, study }] = sides;
  const of = { run: manifest.runId, study: study.name };
  const models = sides.map(({ model }) => model);
  const named = models.map(quoteText).join(', ');
  const facts = await records(
    database,
    `select model, family, size_b from models where run = ${quoteText(of.run)} and model in (${named})`,
  );
  const affect = [];
  if (unit === 'emotion')
    for (const model of models) affect.push({ model, deltas: await modelDeltas(database, { ...of, model }) });
  const all = await taskDeltas(database, of.run, of.study);
  const rows = all.filter((row) => models.includes(textOf(row, 'model')));
  return {
    deltas: deltasOf(facts.map(factsOf), rows, affect, unit),
    tasks: new Set(rows.map((row) => textOf(row, 'task_id'))).size,
  };
}

/** Cliff's delta of |delta pass| between every two groups. */
function groupEffects(deltas: readonly Delta[], by: 'size' | 'family'): Omit<MeasuredEffect, 'tasks'>[] {
  const names = groupsOf(deltas, by);
  return names.flatMap((group, first) =>
    names.slice(first + 1).map((other): Omit<MeasuredEffect, 'tasks'> => {
      const both = [group, other].map((name) => deltas.filter((delta) => groupOf(delta, by) === name));
      const [own = [], others = []] = both.map((some) => some.map(({ delta }) => Math.abs(delta)));
      return {
        ...{ kind: 'effect', metric: `delta_pass_${by}`, dimension: 'function-only', workflow: 'function-only' },
        ...{ unit: 'Cliff’s delta', group, other },
        value: cliffsDelta(own, others),
        interval: effectIntervals(both).cliffsDelta,
      };
    }),
  );
}

export const promptseMultiverse = [
  withoutOwnChoices(firstAnswersSource),
  withoutOwnChoices(elasticitySource),
  overconfidence,
  groups,
];
