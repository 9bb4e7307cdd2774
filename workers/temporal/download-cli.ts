/**
 * Downloads the Temporal CLI from Temporal's download service, which the SDK uses too: first a small answer that names
 * the archive, then the archive.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TEMPORAL_CLI_VERSION, temporalCli } from './cli-version.ts';
import { type Obtained, obtainProgram } from './obtain-program.ts';
import { outputOf } from './output-of.ts';

const REACH_LIMIT_MS = 3_000;
const DOWNLOAD_LIMIT_MS = 10 * 60_000;

interface Archive {
  readonly archiveUrl: string;
  readonly fileToExtract: string;
}

export interface DownloadOptions {
  readonly cache: string;
  readonly onProgress: (line: string) => void;
  /** Default: https://temporal.download */
  readonly url?: string;
}

/** Waits at most 3 s for a service that cannot be reached. */
export async function downloadCli({
  cache,
  onProgress,
  url = 'https://temporal.download',
}: DownloadOptions): Promise<Obtained> {
  try {
    const archive = await findArchive(url);
    onProgress(`downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} from ${archive.archiveUrl}`);
    await obtainProgram(temporalCli(cache), onProgress, (scratch) => fetchAndUnpack(archive, scratch));
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: `${new URL(url).host}: ${reasonOf(error)}` };
  }
}

async function findArchive(url: string): Promise<Archive> {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  if (arch === undefined || !['linux', 'darwin'].includes(process.platform))
    throw new Error(`no build for ${process.platform} ${process.arch}`);
  const query = new URLSearchParams({ arch, platform: process.platform, format: 'tar.gz' });
  const response = await fetch(`${url}/cli/v${TEMPORAL_CLI_VERSION}?${query.toString()}`, {
    signal: AbortSignal.timeout(REACH_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const archive = (await response.json()) as Partial<Archive>;
  if (typeof archive.archiveUrl !== 'string' || typeof archive.fileToExtract !== 'string')
    throw new Error('the answer names no archive');
  return { archiveUrl: archive.archiveUrl, fileToExtract: archive.fileToExtract };
}

async function fetchAndUnpack(archive: Archive, scratch: string): Promise<string> {
  const response = await fetch(archive.archiveUrl, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status} for ${archive.archiveUrl}`);
  const file = join(scratch, 'temporal.tar.gz');
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  const unpacked = await outputOf('tar', ['-xzf', file, '-C', scratch, archive.fileToExtract], { limitMs: 60_000 });
  if (!unpacked.ok) throw new Error(`cannot unpack ${archive.archiveUrl}: ${unpacked.reason}`);
  return join(scratch, archive.fileToExtract);
}

/** `fetch failed` explains nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${REACH_LIMIT_MS / 1_000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
