/** `doctor`: what this machine has, what is missing, and what to do about it. */
import { availableParallelism } from 'node:os';
import { statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { closedAccounts, closedText } from '../../activities/calls/accounts/closed-accounts.ts';
import { accountStoreOf } from '../../activities/calls/accounts/open-store.ts';
import { findEngine } from '../../activities/sandboxes/container/container-engine.ts';
import { openSandbox, probeSandboxes } from '../../activities/sandboxes/index.ts';
import { fileSizeLimit, fileSizeNote } from '../../activities/storage/files/own-limits.ts';
import { isBucketAddress, isPostgresAddress, serversIn } from '../../activities/storage/servers.ts';
import { faultText, probeAccounts } from '../../activities/runs/probe-spec.ts';
import { InputError, MissingPartError } from '../../domain/errors.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { checkCache } from '../../workers/temporal/check-cache.ts';
import { describeChoice } from '../../workers/temporal/describe-choice.ts';
import { addressSpaceFault } from '../faults/address-space.ts';
import { describeMemory, memoryFault } from '../memory.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { readSpecFile } from '../spec-file.ts';
import type { Terminal } from '../output/terminal.ts';

interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do if it is not ok. */
  readonly advice?: string;
}

export async function doctor(
  specPath: string | undefined,
  { runsDir }: { runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const findings = [
    node(),
    machine(),
    await disk(runsDir),
    await temporal(),
    await sandbox(),
    await engine(),
    cache(),
    ...(await accounts()),
    ...(await servers(process.env)),
    ...(specPath === undefined ? [] : await endpoints(specPath)),
  ];
  for (const { part, ok, found, advice } of findings) {
    terminal.out(`${ok ? 'ok     ' : 'missing'} ${part.padEnd(9)} ${found}`);
    if (advice !== undefined) terminal.out(`        ${' '.repeat(9)} ${advice}`);
  }
  terminal.document({ findings });
  return findings.every(({ ok }) => ok) ? exitStatus.done : exitStatus.badInput;
}

function cache(): Finding {
  const found = cacheFolder(process.env);
  try {
    checkCache(process.env);
    return { part: 'cache', ok: true, found };
  } catch (error) {
    return { part: 'cache', ok: false, found, advice: (error as Error).message };
  }
}

/** The database and the object store that the environment names, each with a round trip. */
async function servers(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { checkBlobs, checkStore } = await import('../../activities/storage/postgres/check-servers.ts');
  const named = [
    { part: 'store', address: env['EVENKEEL_STORE'] ?? '', isAddress: isPostgresAddress, check: checkStore },
    { part: 'blobs', address: env['EVENKEEL_BLOBS'] ?? '', isAddress: isBucketAddress, check: checkBlobs },
  ].filter(({ address, isAddress }) => isAddress(address));
  const checked = await Promise.all(
    named.map(async ({ part, address, check }): Promise<Finding> => {
      try {
        return { part, ok: true, found: await check(address) };
      } catch (error) {
        return { part, ok: false, found: 'no round trip', advice: (error as Error).message };
      }
    }),
  );
  return [...wrongServers(env), ...checked];
}

/** What every command that reads runs refuses. */
function wrongServers(env: Readonly<Record<string, string | undefined>>): Finding[] {
  try {
    serversIn(env);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const part = error.field === 'EVENKEEL_BLOBS' ? 'blobs' : 'store';
    return [{ part, ok: false, found: 'no address', advice: error.message }];
  }
}

/** Closed accounts only. They are not a failure of this machine, so they are `ok`. */
const accounts = async (): Promise<Finding[]> =>
  (await closedAccounts(accountStoreOf(cacheFolder(process.env)), Date.now())).map((account) => ({
    part: 'account',
    ok: true,
    found: closedText(account),
  }));

async function endpoints(path: string): Promise<Finding[]> {
  const { spec, text } = await readSpecFile(path);
  const probed = await probeAccounts({ spec, text, path }, process.env);
  return probed.map(({ provider, baseUrl, faults }) => {
    const found = `${provider} at ${baseUrl}`;
    const advice = faults.map((fault) => faultText({ spec, text, path }, fault)).join(`\n${' '.repeat(18)}`);
    return { part: 'endpoint', ok: faults.length === 0, found, ...(faults.length > 0 && { advice }) };
  });
}

const node = (): Finding => ({
  part: 'Node',
  ok: true,
  found: `${process.version} on ${process.platform} ${process.arch}`,
});

function machine(): Finding {
  const found = `${availableParallelism()} cores, ${describeMemory()}`;
  const advice = addressSpaceFault() ?? fileSizeFault() ?? memoryFault();
  return advice === null ? { part: 'machine', ok: true, found } : { part: 'machine', ok: false, found, advice };
}

/** Like a disk that has less room. */
function fileSizeFault(): string | null {
  const limit = fileSizeLimit();
  return limit >= 2 ** 30 ? null : fileSizeNote(limit);
}

async function disk(runsDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(runsDir));
  const freeGib = (bavail * bsize) / 2 ** 30;
  const found = `${freeGib.toFixed(1)} GiB free for ${runsDir}`;
  return freeGib >= 1
    ? { part: 'disk', ok: true, found }
    : {
        part: 'disk',
        ok: false,
        found,
        advice: 'needs at least 1 GiB: free some space, or point --runs-dir elsewhere',
      };
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));

async function temporal(): Promise<Finding> {
  const { ok, line } = await describeChoice(process.env);
  return ok ? { part: 'Temporal', ok, found: line } : { part: 'Temporal', ok, found: 'none', advice: line };
}

async function sandbox(): Promise<Finding> {
  try {
    return { part: 'sandbox', ok: await runsProgram(), found: await probeSandboxes() };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { part: 'sandbox', ok: false, found, advice: sandboxAdvice(error) };
  }
}

/** A wrong value says nothing about the installation. */
const sandboxAdvice = (error: unknown): string =>
  error instanceof InputError
    ? 'set EVENKEEL_SANDBOX to one of these, or unset it'
    : error instanceof MissingPartError
      ? 'mend that, or unset EVENKEEL_SANDBOX to use the strongest sandbox that is there'
      : 'unset EVENKEEL_SANDBOX, or reinstall under Node 22.18 or newer: npm ci';

async function runsProgram(): Promise<boolean> {
  const box = await openSandbox('auto');
  try {
    const limits = { caseTimeoutMs: 5_000, memoryBytes: 256 * 1024 * 1024, outputBytes: 100_000 };
    const { end } = await box.run(
      { source: 'def f(x):\n    return x + 1\n', entryPoint: 'f', inputs: ['[41]'] },
      limits,
    );
    return end === 'completed';
  } finally {
    await box.close();
  }
}

async function engine(): Promise<Finding> {
  const { engine: found, why } = await findEngine();
  return { part: 'engine', ok: true, found: found === null ? `${why}; not required` : `${found.name} at ${why}` };
}
