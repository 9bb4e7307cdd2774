/**
 * Files of a finished run, spoiled one at a time, and what may come of it: `verify` says so, and nobody reads other
 * rows out of them.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { openRunLedger } from '../../activities/storage/run-ledger.ts';
import { verifyRun } from '../../activities/storage/verify/verify.ts';
import { openRun } from '../../analysis/database.ts';
import { explain } from '../../cli/exit-status.ts';
import { cutManifest, segmentFolder } from '../../domain/manifest-segments.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import { sealedManifest } from '../../domain/whole-manifest.ts';
import { fuzzSeed } from './malformed-files.ts';

/** Nothing rests on these: they are written again, or hold nothing. */
const ofNoMatter = /^(?:owner\.lock|report\.html|views\.sql)|\.lock$/;

const waysToSpoil = [
  'changed bit',
  'changed bit',
  'changed bit',
  'zeros',
  'cut off',
  'longer',
  'empty',
  'gone',
  'another file',
] as const;
type WayToSpoil = (typeof waysToSpoil)[number];

export interface Draw {
  readonly file: string;
  readonly way: WayToSpoil;
}

/** What was wrong with how a run met `count` spoiled files, one line each. `scratch` is a folder for copies. */
export async function faultsOfRun(run: string, scratch: string, count: number): Promise<string[]> {
  const runFolder = await withSegments(run, join(scratch, 'segmented'));
  const random = uniform(seedOf('stored files', fuzzSeed));
  const files = readdirSync(runFolder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !ofNoMatter.test(path) && statSync(join(runFolder, path)).isFile(),
  );
  const truth = await rowsByTable(runFolder);
  const faults: string[] = [];
  for (let draw = 0; draw < count; draw += 1) {
    const copy = join(scratch, `copy${draw}`);
    cpSync(runFolder, copy, { recursive: true });
    const drawn = spoil(copy, files, random);
    faults.push(...(await faultsOfCopy(copy, drawn, truth)).map((fault) => `${drawn.file}, ${drawn.way}: ${fault}`));
    rmSync(copy, { recursive: true });
  }
  return faults;
}

/** A copy whose manifest is cut into segments, as if it had thousands of parts. */
async function withSegments(runFolder: string, copy: string): Promise<string> {
  cpSync(runFolder, copy, { recursive: true });
  const { root, added } = cutManifest(await readManifest(copy), [], partsOfSegment);
  mkdirSync(join(copy, segmentFolder));
  for (const { segment, text } of added) writeFileSync(join(copy, segment.file), text);
  writeFileSync(join(copy, 'manifest.json'), sealedManifest(root));
  return copy;
}

const partsOfSegment = 5;

function spoil(folder: string, files: readonly string[], random: () => number): Draw {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  // Half of the draws are for the files that everything hangs on.
  const segment = pick(files.filter((one) => one.startsWith(segmentFolder)));
  const file = random() < 0.5 ? pick(['manifest.json', segment, 'ledger.sqlite']) : pick(files);
  // A run of version 0.1 has no tally, so that it is missing says nothing.
  const way = pick(file === 'ledger.tally' ? waysToSpoil.filter((one) => one !== 'gone') : waysToSpoil);
  const path = join(folder, file);
  const bytes = readFileSync(path);
  const at = Math.floor(random() * bytes.length);
  if (way === 'gone') rmSync(path);
  else
    writeFileSync(
      path,
      spoiledBytes(way, bytes, at, () => readFileSync(join(folder, pick(files.filter((other) => other !== file))))),
    );
  return { file, way };
}

function spoiledBytes(way: Exclude<WayToSpoil, 'gone'>, bytes: Buffer, at: number, another: () => Buffer): Buffer {
  const copy = Buffer.from(bytes);
  switch (way) {
    case 'changed bit':
      copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
      return copy;
    case 'zeros':
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.alloc(Math.min(512, copy.length - at)),
        Buffer.from([1]),
        copy.subarray(at + 512),
      ]);
    case 'cut off':
      return copy.subarray(0, at);
    case 'longer':
      return Buffer.concat([copy, Buffer.from('\0x')]);
    case 'empty':
      return Buffer.alloc(0);
    case 'another file':
      return another();
  }
}

async function faultsOfCopy(folder: string, { file }: Draw, truth: ReadonlyMap<string, string>): Promise<string[]> {
  const report = await verifyRun(folder);
  const named = report.problems.some((problem) => problem.includes(basename(file)));
  return [
    ...(report.ok ? ['verify called it whole'] : []),
    ...(!report.ok && !named ? [`verify does not name it: ${report.problems.join('; ')}`] : []),
    ...(await faultsOfReading(folder, truth)),
    ...(await faultsOfGoingOn(folder)),
  ];
}

async function faultsOfReading(folder: string, truth: ReadonlyMap<string, string>): Promise<string[]> {
  try {
    const found = await rowsByTable(folder);
    return [...truth].flatMap(([table, rows]) =>
      found.get(table) === rows ? [] : [`${table} was read with other rows`],
    );
  } catch (error) {
    return faultsOfRefusal('query', error);
  }
}

/** A folder without a manifest is not a run: `resume` says that there is none of that name, before it looks further. */
async function faultsOfGoingOn(folder: string): Promise<string[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return [];
  try {
    await (await openRunLedger(folder, await readManifest(folder))).close();
    return [];
  } catch (error) {
    return faultsOfRefusal('resume', error);
  }
}

function faultsOfRefusal(what: string, error: unknown): string[] {
  const { text, status } = explain(error);
  return status === 2 ? [] : [`${what} ended with status ${status}: ${text}`];
}

/** Tables that hang on all others: what was asked and answered, and what came of it. */
const looked = ['samples', 'verdicts', 'loops', 'asl', 'calls', 'models'];

async function rowsByTable(folder: string): Promise<Map<string, string>> {
  const database = await openRun(folder);
  try {
    const rows = new Map<string, string>();
    for (const table of looked) {
      const { rows: found } = await database.query(`select * from ${table} order by all`);
      rows.set(table, JSON.stringify(found));
    }
    return rows;
  } finally {
    database.close();
  }
}
