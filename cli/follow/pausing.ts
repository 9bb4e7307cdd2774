/** What a run waits for after `pause` or `cancel`. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { plain } from '../output/terminal.ts';
import { interruption } from '../../schemas/states.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';

const verbs: Readonly<Record<string, string>> = { paused: 'pausing', cancelled: 'cancelling' };

/** Null unless a command has stopped the whole run. */
export function pausingText({ stopped, liveIntents, batches = [] }: Progress): string | null {
  const stop = stopped.find(({ model, detail }) => model === '*' && detail !== interruption);
  const verb = verbs[stop?.reason ?? ''];
  if (verb === undefined) return null;
  const open = batches.reduce((sum, one) => sum + one.batches, 0);
  const calls = liveIntents > 0 ? [`${counted(liveIntents, 'call')} in flight`] : [];
  const closing = open > 0 ? [`the end of ${counted(open, 'batch', 'batches')} at the endpoint`] : [];
  const waits = [...calls, ...closing];
  return `${verb}: waits for ${waits.length === 0 ? 'programs and tables' : waits.join(' and ')}`;
}

/** Says once, as soon as it is so, that the run pauses: where no terminal shows it, a progress line comes seldom. */
export function onPausing(say: (line: string) => void): (progress: Progress) => void {
  let isSaid = false;
  return (progress) => {
    const text = isSaid ? null : pausingText(progress);
    if (text === null) return;
    isSaid = true;
    say(text);
  };
}

/** Of a run that is complete although a command stopped it meanwhile; null for any other. */
export async function lateStopText(
  { runId, state }: Pick<Manifest, 'runId' | 'state'>,
  ledger: Pick<Ledger, 'runStop'>,
): Promise<string | null> {
  const stop = state === 'complete' ? await ledger.runStop() : null;
  return stop === null || stop.detail === interruption
    ? null
    : `run "${runId}" is complete: ${plain(stop.detail)} only after its last call, so nothing is left to continue`;
}
