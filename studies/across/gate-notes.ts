/** What a gate says of its sides, beside its verdict. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { records } from '../../analysis/records.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../schemas/spec.ts';

/** Two models of a study. */
export interface GateSides {
  readonly study: SpecStudy;
  readonly old: Side;
  readonly now: Side;
}

export function settingNotes({ study, old, now }: GateSides): string[] {
  if (old.manifest === now.manifest || JSON.stringify(old.study.settings) === JSON.stringify(study.settings)) return [];
  return [
    `study ${study.name} has different settings in runs ${old.manifest.runId} and ${now.manifest.runId}; only what ` +
      'both have is compared',
  ];
}

export async function simulatedNotes(database: RunDatabase, comparisons: readonly GateSides[]): Promise<string[]> {
  const rows = await records(database, 'SELECT DISTINCT run, model FROM models WHERE simulated');
  const sides = new Set(
    comparisons.flatMap(({ old, now }) =>
      [old, now].map(({ manifest, model }) => JSON.stringify([manifest.runId, model])),
    ),
  );
  const simulated = rows
    .filter((row) => sides.has(JSON.stringify([row['run'], row['model']])))
    .map((row) => textOf(row, 'model'));
  return simulated.length === 0
    ? []
    : [`simulated: ${[...new Set(simulated)].toSorted().join(', ')}; the verdict says nothing about any real model`];
}
