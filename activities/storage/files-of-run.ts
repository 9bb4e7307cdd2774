/** The files of a run that its manifest and ledger name. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { RunFile } from './home/run-home.ts';
import type { PartRecord } from './ledger/records.ts';

/** Each once. A part may be in the ledger only: a process was killed before it was published. */
export function filesOfRun(manifest: Manifest, parts: readonly PartRecord[]): RunFile[] {
  const { plan, benchmarks, replays, rescored } = manifest;
  const recordings = Object.values(replays).flatMap(({ earlier = [], ...copy }) => [copy, ...earlier]);
  const verdicts = rescored?.verdicts === undefined ? [] : [rescored.verdicts];
  const inputs = [...plan, ...Object.values(benchmarks), ...recordings, ...verdicts];
  const tables = [...manifest.parts, ...parts].map(({ path: file, sha256 }) => ({ file, sha256 }));
  const all = [...inputs.map(({ file, sha256 }) => ({ file, sha256 })), ...tables];
  return [...new Map(all.map((one) => [one.file, one])).values()];
}
