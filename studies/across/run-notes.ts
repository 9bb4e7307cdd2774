/** Remarks on runs that are compared although they do not judge alike. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Side } from '../../analysis/gate/compared.ts';
import { counted } from '../../domain/counted.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { otherSuites } from './changed-tasks.ts';

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

/** Tasks that one run judges by more suites than another: their programs pass more easily there. */
export async function suiteNotes(
  database: RunDatabase,
  manifests: readonly Manifest[],
  benchmark: string,
): Promise<string[]> {
  const runs = [...new Set(manifests)];
  const found = await otherSuites(database, runs, benchmark);
  return found.map(({ taskIds, suites }) => {
    const own = suites.flatMap((names, place) =>
      names.length === 0 ? [] : [`[${nameList(names)}] in run ${runs[place]?.runId}`],
    );
    return (
      `${counted(taskIds.length, 'task')} of ${benchmark}, judged by different suites (${own.join('; ')}): compared ` +
      'only by pass@1 of a suite that these runs share, and by metrics that need no tests'
    );
  });
}

const joined = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
