/** The commands that continue a run, or start another one in its place. */
import { readFileSync } from 'node:fs';
import { restoreRemedy } from '../domain/errors.ts';
import { missingTablesText } from '../domain/missing-tables/missing-text.ts';
import { nameList } from '../domain/name-list.ts';
import { shortDetail } from '../domain/short-detail.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { isStoppedBy } from '../schemas/states.ts';
import { commandName } from './command-name.ts';
import { specCorrections } from './output/spec-corrections.ts';
import { plain } from './output/terminal.ts';
import { quoted } from '../activities/storage/files/quoted.ts';
import { runsDirOption } from './runs-dir-option.ts';

/** @param retry as the command that ended: else the other stopped models would be asked again too */
export const resumeCommand = (runId: string, runsDir: string, retry?: string): string =>
  `${commandName()} resume ${quoted(runId)}${retry === undefined ? '' : ` --model ${quoted(retry)}`}` +
  runsDirOption(runsDir);

/** With the limits that the run has; the option of the others would not help a run that its budget stopped. */
export function budgetCommand(
  { runId, spec: { budget } }: { readonly runId: string; readonly spec: Pick<Manifest['spec'], 'budget'> },
  runsDir: string,
): string {
  const limits = [
    ...(budget?.usd === undefined ? [] : ['--usd DOLLARS']),
    ...(budget?.tokens === undefined ? [] : ['--tokens TOKENS']),
  ];
  return `${commandName()} budget ${quoted(runId)} ${limits.join(' ')}${runsDirOption(runsDir)}`;
}

export interface Continuing {
  readonly retry: string | undefined;
  /** Models of which another version answers, if nothing else is left to do. */
  readonly strict: readonly string[];
  /** As the command that ended was given it; undefined for one that was given none. */
  readonly specPath: string | undefined;
}

/** Of an incomplete run: why it is, and what to do. Damage that only a copy mends comes before all else. */
export function howToContinue(manifest: Manifest, runsDir: string, { retry, strict, specPath }: Continuing): string {
  const { runId, stateDetail } = manifest;
  const why = shortDetail(plain(stateDetail ?? 'still running'));
  const [stopped] = strict;
  if (stopped !== undefined)
    return (
      `the run is incomplete: ${why}\nNothing is left to resume. Measure the version that answers now in a new run:\n` +
      `${specCommand(manifest, runsDir, specPath, 'NAME')}\n` +
      `Only if the version that the run began with may answer again:\n  ${resumeCommand(runId, runsDir, stopped)}`
    );
  const remedy = restoreRemedy(stateDetail ?? '');
  if (remedy !== null) return `the run is incomplete: ${why}${why.includes(remedy) ? '' : `\n${remedy}`}`;
  // Without more money a resumed run stops again at once.
  const isSpent = isStoppedBy('budget', why);
  const budget = isSpent ? `\nFirst raise the budget:\n  ${budgetCommand(manifest, runsDir)}` : '';
  const resume = `  ${resumeCommand(runId, runsDir, retry)}`;
  const places = specCorrections(why).map(({ place, path }) => `${place} (${path})`);
  if (places.length === 0) return `the run is incomplete: ${why}${budget}\nContinue with:\n${resume}`;
  return (
    `the run is incomplete: ${why}${budget}\n${isSpent ? 'Also' : 'First'} correct the spec at ${nameList(places)}. ` +
    `Then continue with:\n${specCommand(manifest, runsDir, specPath, quoted(runId))}\n` +
    `Only if the endpoint takes it by now with the spec as it is:\n${resume}`
  );
}

/** Of a complete run: what is missing, and what derives it again; null for a run with all its tables. */
export function lackingTables({ runId, missingTables }: Manifest, runsDir: string): string | null {
  const text = missingTablesText(missingTables);
  if (text === null) return null;
  return (
    `the run is complete, with tables missing: ${shortDetail(plain(text))}\nYour answers and scores are safe. This ` +
    `derives only these tables again, and asks nothing; a newer version may compute them:\n  ` +
    resumeCommand(runId, runsDir)
  );
}

/** @param run its id, as a shell takes it */
function specCommand(manifest: Manifest, runsDir: string, specPath: string | undefined, run: string): string {
  const path = specPath ?? specFromHere(manifest);
  const command = `  ${commandName()} run ${quoted(path ?? 'SPEC')} --run ${run}${runsDirOption(runsDir)}`;
  const { specFile } = manifest;
  return path !== null ? command : `${command}\n(SPEC: the file of this run${specFile ? `, ${plain(specFile)}` : ''})`;
}

/** A run knows only its spec's name and text: null if that is no file of the current folder. */
function specFromHere({ specFile, specText }: Manifest): string | null {
  try {
    return specFile !== undefined && readFileSync(specFile, 'utf8') === specText ? specFile : null;
  } catch {
    return null;
  }
}
