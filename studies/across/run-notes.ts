/** Remarks on runs that are compared although they do not judge alike. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { NeededSettings } from '../../analysis/gate/needed-settings.ts';
import type { Side, Sides } from '../../analysis/gate/compared.ts';
import { haveSameSettings } from '../../analysis/gate/needed-settings.ts';
import { counted } from '../../domain/counted.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { otherSuites } from './changed-tasks.ts';
import { judgingNotes } from './judging-note.ts';

/** Different extraction rules can give different verdicts on the same replies. */
export function extractionNotes({ name }: SpecStudy, sides: readonly Pick<Side, 'manifest'>[]): string[] {
  const manifests = [...new Set(sides.map(({ manifest }) => manifest))];
  const rules = manifests.map(({ versions }) => versions.extraction?.[name] ?? "an older program's");
  if (new Set(rules).size < 2) return [];
  const runs = manifests.map(({ runId }, place) => `${runId} (${rules[place]})`);
  return [
    `study ${name} extracts code with different rules in runs ${joined(runs)}; use \`rescore\` to judge the old ` +
      'replies with the new rule',
  ];
}

/**
 * Tasks that one run judges by more suites than another, or by another rule: programs pass more easily in one.
 * @param changedRecords tasks that are excluded, whatever their suites
 */
export async function suiteNotes(
  database: RunDatabase,
  manifests: readonly Manifest[],
  benchmark: string,
  changedRecords: ReadonlySet<string>,
): Promise<string[]> {
  const runs = [...new Set(manifests)];
  const found = await otherSuites(database, runs, benchmark);
  const texts = found.flatMap(({ taskIds, suites }) => {
    const tasks = taskIds.filter((task) => !changedRecords.has(task)).length;
    if (tasks === 0) return [];
    const own = suites.flatMap((names, place) =>
      names.length === 0 ? [] : [`[${nameList(names)}] in run ${runs[place]?.runId}`],
    );
    return [
      `${counted(tasks, 'task')} of ${benchmark}, judged by different suites (${own.join('; ')}): compared ` +
        'only by pass@1 of a suite that these runs share, and by metrics that need no tests',
    ];
  });
  return [...texts, ...judgingNotes(runs, benchmark)];
}

/**
 * Metrics that are left out because the runs have other settings, which their values depend on.
 * @param metric only this one
 */
export function leftOutNotes(
  { name }: SpecStudy,
  sides: Sides['sides'],
  { all, metric }: { readonly all: readonly NeededSettings[]; readonly metric?: string | undefined },
): string[] {
  const found = all.flatMap((needed) => {
    const wanted = needed.metrics.filter((one) => metric === undefined || one === metric);
    if (wanted.length === 0 || haveSameSettings(sides, needed)) return [];
    const differences = differingSettings(sides, needed);
    if (differences === null) return [];
    const about = needed.condition === undefined ? '' : ` (${needed.condition})`;
    return [{ ...differences, areNumbers: needed.areNumbers, names: wanted.map((one) => one + about) }];
  });
  return [...Map.groupBy(found, ({ text }) => text)].map(([text, own]) => {
    const names = own.flatMap((one) => one.names).join(', ');
    const { settings = '', areNumbers = false } = own[0] ?? {};
    return (
      `study ${name}: ${names} left out, because the value depends on ` +
      `${areNumbers ? 'the number of answers' : 'settings that differ'} (${text}); to compare it, run both with the ` +
      `same ${settings}${areNumbers ? '; pass_at_1 does not depend on it' : ''}`
    );
  });
}

/**
 * `samples 2 in run h1; samples 8 in run h2`, of the settings that differ between the runs that measure it; null if
 * these have the same.
 */
export function differingSettings(
  sides: Sides['sides'],
  needed: Pick<NeededSettings, 'settingsOf'>,
): { readonly text: string; readonly settings: string } | null {
  const all = sides.map(({ manifest }) => manifest.spec);
  const ofRuns = new Map(
    sides.flatMap(({ manifest, study }) => {
      const own = needed.settingsOf(study, manifest.spec, all);
      return own === null ? [] : [[manifest.runId, own]];
    }),
  );
  const settings = [...ofRuns.values()];
  const differ = Object.keys(Object.assign({}, ...settings)).filter(
    (key) => new Set(settings.map((own) => own[key])).size > 1,
  );
  if (differ.length === 0) return null;
  const texts = [...ofRuns].map(
    ([run, own]) => `${differ.map((key) => `${key} ${own[key] ?? 'not set'}`).join(', ')} in run ${run}`,
  );
  return { text: texts.join('; '), settings: joined(differ) };
}

const joined = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
