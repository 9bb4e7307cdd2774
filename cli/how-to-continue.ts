/** The commands that continue a run, or start another one in its place. */
import { shortDetail } from '../domain/short-detail.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { commandName } from './command-name.ts';
import { plain } from './output/terminal.ts';
import { quoted } from './quoted.ts';
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

/** Of an incomplete run: why it is, and what to do. */
export function howToContinue(
  manifest: Manifest,
  runsDir: string,
  { retry, strict }: { readonly retry: string | undefined; readonly strict: readonly string[] },
): string {
  const { runId, specFile = 'SPEC', stateDetail } = manifest;
  const why = shortDetail(plain(stateDetail ?? 'still running'));
  if (strict.length > 0)
    return (
      `the run is incomplete: ${why}\nNothing is left to resume. Measure the version that answers now in a new run:\n` +
      `  ${commandName()} run ${quoted(specFile)} --run NAME${runsDirOption(runsDir)}`
    );
  // Without more money a resumed run stops again at once.
  const first = why.startsWith('budget') ? `; first raise it: ${budgetCommand(manifest, runsDir)}` : '';
  return `the run is incomplete: ${why}${first}\nContinue with:\n  ${resumeCommand(runId, runsDir, retry)}`;
}
