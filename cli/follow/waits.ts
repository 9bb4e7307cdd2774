/**
 * What a run waits for, in words: workers that do not answer, answers that take long, and the limits of its accounts.
 */
import type { ModelCallsNow } from '../../activities/storage/ledger/ledger-counts.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { SlowedAccount } from '../../domain/accounts/slowed-account.ts';
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { silentAround, silentTextFor } from '../../workers/beats/silent-workers.ts';
import { plain } from '../output/terminal.ts';
import { clockText, durationText } from './progress-line.ts';
import type { RunSnapshot } from './run-snapshot.ts';

/** A call in flight is worth a word after the first, or earlier if it takes that many times as long as usual. */
const longMs = 60_000;
const soonestMs = 20_000;
const timesUsual = 3;

/** A line for each model of which a call takes long: how many are in flight, since when, and until when at most. */
export function longCallTexts(calls: readonly ModelCallsNow[], spec: Spec, nowMs: number): string[] {
  return calls.flatMap(({ answeringModel, inFlight, oldestSentMs, medianLatencyMs }) => {
    if (oldestSentMs === null || !isLong(nowMs - oldestSentMs, medianLatencyMs)) return [];
    const limitMs = callLimitMs(spec, answeringModel);
    const facts = [
      ...(medianLatencyMs === null ? [] : [`usually ${durationText(Math.max(1_000, medianLatencyMs))}`]),
      ...(limitMs === null ? [] : [limitText(oldestSentMs + limitMs, nowMs)]),
    ];
    const known = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    const many = counted(inFlight, 'call');
    return [
      plain(`waiting for ${answeringModel}: ${many} in flight, the oldest since ${clockText(oldestSentMs)}${known}`),
    ];
  });
}

/** Nothing is asked beyond the limit: what is in flight then has ended, and cannot be stored, as on a full disk. */
const limitText = (untilMs: number, nowMs: number): string =>
  nowMs <= untilMs
    ? `at most until ${clockText(untilMs)}`
    : `its time was up at ${clockText(untilMs)}, and how it ended is not stored yet`;

const isLong = (ageMs: number, usualMs: number | null): boolean =>
  ageMs >= longMs || ageMs >= Math.max(soonestMs, timesUsual * (usualMs ?? 0));

/** Of the model's account; null for one without an endpoint. */
function callLimitMs({ models, providers }: Spec, id: string): number | null {
  const model = models.find((one) => one.id === id);
  return (model && providers[model.provider]?.timeoutMs) ?? null;
}

/** A line for each account whose limit calls wait for although it is open. */
export const slowedTexts = (slowed: readonly SlowedAccount[]): string[] =>
  slowed.map(({ endpoint, keyVariable, why }) => {
    const key = keyVariable === null ? '' : ` with the key of ${keyVariable}`;
    return plain(`calls wait for a limit of account ${endpoint}${key}: ${why}`);
  });

/** All of these of a run at one moment. */
export const waitTexts = ({
  manifest,
  calls,
  slowed,
  silentWorkers,
}: Pick<RunSnapshot, 'manifest' | 'calls' | 'slowed' | 'silentWorkers'>): string[] => [
  ...silentWorkers.map((worker) => plain(silentTextFor(manifest.runId, worker))),
  ...longCallTexts(calls, manifest.spec, Date.now()),
  ...slowedTexts(slowed),
];

/** The newest calls are looked through this often. */
const lookMs = 2_000;

interface FollowedRun {
  readonly manifest: Manifest;
  readonly home: Pick<RunHome, 'folder'>;
  readonly ledger: Pick<Ledger, 'callsNow'>;
}

/** Returns the lines of this moment, read again every other second at most. */
export function followWaits(
  { manifest, home, ledger }: FollowedRun,
  slowedNow: () => readonly SlowedAccount[],
): () => Promise<readonly string[]> {
  let [lastMs, texts] = [-Infinity, [] as string[]];
  return async () => {
    if (performance.now() - lastMs < lookMs) return texts;
    lastMs = performance.now();
    const silentWorkers = silentAround(home.folder);
    texts = waitTexts({ manifest, calls: await ledger.callsNow(), slowed: slowedNow(), silentWorkers });
    return texts;
  };
}
