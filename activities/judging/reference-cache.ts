/**
 * Results of references on this machine, shared by all runs: content-addressed files, so that a 378-task benchmark is
 * run once and not in every run.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../../domain/ids.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';
import { makeFolder } from '../storage/files/make-folder.ts';

export interface ReferenceCache {
  get(key: string): Promise<ReferenceRecord | undefined>;
  put(record: ReferenceRecord): Promise<void>;
  getFact(name: string): Promise<string | undefined>;
  putFact(name: string, json: string): Promise<void>;
}

/**
 * @param folder null stores nothing, and so does a folder that cannot be written: a full disk disables
 *   the cache, not the run
 */
export function createReferenceCache(folder: string | null): ReferenceCache {
  const path = (key: string): string => join(folder ?? '', key.slice(0, 2), `${key}.json.gz`);
  const read = async (key: string): Promise<string | undefined> => {
    if (folder === null) return undefined;
    try {
      return await openSealed(await readFile(path(key)));
    } catch {
      // Missing, or damaged by a crash of the machine: created again in both cases.
      return undefined;
    }
  };
  const write = async (key: string, json: string): Promise<void> => {
    if (folder !== null) await replaceFile(path(key), await sealed(json)).catch(() => undefined);
  };
  return {
    get: async (key) => {
      const json = await read(key);
      return json === undefined ? undefined : (JSON.parse(json) as ReferenceRecord);
    },
    put: (record) => write(record.key, JSON.stringify(record)),
    getFact: (name) => read(sha256(name)),
    putFact: (name, json) => write(sha256(name), json),
  };
}

/** The text, preceded by its hash: a half-written or altered file is ignored. */
const sealed = (json: string): Promise<Buffer> => promisify(gzip)(`${sha256(json)}\n${json}`);

async function openSealed(bytes: Buffer): Promise<string | undefined> {
  const text = (await promisify(gunzip)(bytes)).toString('utf8');
  const json = text.slice(65);
  return sha256(json) === text.slice(0, 64) ? json : undefined;
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  makeFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
