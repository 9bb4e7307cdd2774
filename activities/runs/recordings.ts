/** A run's recordings: its own copies, which it uses, and the user's original files, which may grow. */
import { readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { unreadable } from '../../domain/unreadable.ts';
import { readsKey } from '../../domain/spec/provider-facts.ts';
import { sha256 } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { checkRecording } from '../providers/replay.ts';
import { compareRecordings } from './recording-differences.ts';
import { fileSha256 } from '../storage/files/file-sha256.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { inputOf, putInput } from '../storage/blobs/run-blobs.ts';
import type { RunHome } from '../storage/home/run-home.ts';

type Replays = Manifest['replays'];
type Replay = Replays[string];

/** The user's file, by model id. */
export type RecordingFiles = ReadonlyMap<string, string>;

/** A user's file to copy into the run: a new one, or one with added replies. */
export interface FreshRecording {
  readonly models: readonly string[];
  readonly file: string;
  readonly sha256: string;
  readonly simulated: boolean;
  /** The copy that it extends; null for a new file. */
  readonly outgrown: { readonly sha256: string; readonly added: number } | null;
}

/** @param specFolder folder that the spec's paths are relative to */
export const namedFiles = ({ models }: Spec, specFolder: string): RecordingFiles =>
  new Map(
    models.flatMap((model) =>
      readsKey(model, 'file') ? [[model.id, resolve(specFolder, model.file ?? '')] as const] : [],
    ),
  );

/** The original files that the run recorded; none for a run made by an older version. */
export const rememberedFiles = ({ folder }: RunHome, replays: Replays): RecordingFiles =>
  new Map(
    Object.entries(replays).flatMap(([id, { source }]) =>
      source === undefined ? [] : [[id, resolve(folder, source)] as const],
    ),
  );

export const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/**
 * The files of which the run has no copy, or an older one. Throws InputError if a file has
 * changes other than added lines. @param home of the run; null for a run that does not exist yet
 */
export async function freshRecordings(
  home: RunHome | null,
  replays: Replays,
  files: RecordingFiles,
): Promise<FreshRecording[]> {
  const changed = [...files].filter(
    ([id, file]) => replays[id] === undefined || replays[id].sha256 !== readableSha256(file),
  );
  const byCopy = Map.groupBy(changed, ([id, file]) => JSON.stringify([file, replays[id]?.file]));
  const fresh: FreshRecording[] = [];
  for (const group of byCopy.values()) fresh.push(await freshRecording(home, replays, group));
  return fresh;
}

function readableSha256(file: string): string {
  try {
    return fileSha256(file);
  } catch (error) {
    throw new InputError(unreadable(error), { file });
  }
}

/** @param group models with one file and one copy of it */
async function freshRecording(
  home: RunHome | null,
  replays: Replays,
  group: readonly (readonly [string, string])[],
): Promise<FreshRecording> {
  const models = group.map(([id]) => id);
  const [id, file] = group[0] as readonly [string, string];
  const copy = replays[id];
  const checked = await checkRecording(file);
  if (copy === undefined || home === null) return { models, file, ...checked, outgrown: null };
  await home.fetch([copy]);
  const { added, differences } = await compareRecordings(join(home.folder, copy.file), file);
  if (differences.length > 0) throw new InputError(refusal(join(home.folder, copy.file), differences), { file });
  return { models, file, ...checked, outgrown: { sha256: copy.sha256, added } };
}

const shownDifferences = 8;

function refusal(copy: string, differences: readonly string[]): string {
  const more = differences.length - shownDifferences;
  return [
    'this run uses its own copy of the recording; the file has changes other than appended lines:',
    ...differences.slice(0, shownDifferences).map((line) => `  - ${line}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    `Lines may be added. Undo the other changes (the copy is ${copy}), or start a separate run of the changed ` +
      'recording with --run ID.',
  ].join('\n');
}

/**
 * Copies the fresh recordings into the run's inputs, before `withFresh` names them. Rejects with InputError if a file
 * changed since it was compared.
 */
export async function putFresh(inputs: BlobStore, fresh: readonly FreshRecording[]): Promise<void> {
  for (const { file, sha256: compared } of fresh) {
    const contents = readFileSync(file);
    if (sha256(contents) !== compared) throw changedMeanwhile(file);
    await putInput(inputs, contents, 'jsonl');
  }
}

/**
 * The manifest's entries with the fresh recordings, which `putFresh` has stored; call while holding the run's lock.
 * Throws InputError if the run's copy changed since they were compared.
 */
export function withFresh(replays: Replays, fresh: readonly FreshRecording[]): Replays {
  const now = new Date().toISOString();
  const taken = fresh.flatMap((one) => one.models.map((id) => [id, withCopy(replays[id], one, now)] as const));
  return { ...replays, ...Object.fromEntries(taken) };
}

function withCopy(old: Replay | undefined, fresh: FreshRecording, replacedAt: string): Replay {
  const { file, simulated, outgrown } = fresh;
  if (old?.sha256 === fresh.sha256) return old;
  if (old?.sha256 !== outgrown?.sha256) throw changedMeanwhile(file);
  const input = inputOf(fresh.sha256, 'jsonl');
  if (old === undefined) return { ...input, ...(simulated && { simulated }) };
  const replaced = { file: old.file, sha256: old.sha256, replacedAt };
  return { ...old, ...input, earlier: [...(old.earlier ?? []), replaced] };
}

const changedMeanwhile = (file: string): InputError =>
  new InputError("this file, or the run's copy of it, changed while they were compared; run the command again", {
    file,
  });

/**
 * The manifest's recordings, each with the path of the user's file relative to the run folder, which stays valid when
 * both are moved together. A run that hosts share goes on with its copies alone.
 */
export const withSources = ({ folder, isOnServers }: RunHome, replays: Replays, files: RecordingFiles): Replays =>
  Object.fromEntries(
    Object.entries(replays).map(([id, replay]) => {
      const file = isOnServers ? undefined : files.get(id);
      return [id, file === undefined ? replay : { ...replay, source: relative(folder, file).split(sep).join('/') }];
    }),
  );
