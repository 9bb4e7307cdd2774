import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchFile, type RemoteFile } from '../../../activities/benchmarks/fetch-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const content = Buffer.from('one line of a benchmark\n'.repeat(20_000));
const sha256 = createHash('sha256').update(content).digest('hex');

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
/** What was asked for, one entry per request: the range, or `all`. */
let asked: string[];
let path: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers.range ?? 'all');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
  answer = ranged;
  path = join(temporaryFolder(), 'set', 'file.jsonl');
});

function ranged({ headers }: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from === 0 ? 200 : 206).end(content.subarray(from));
}
/** Sends the first bytes, then hangs up. */
function breaksOffAfter(bytes: number): typeof answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => setTimeout(() => response.destroy(), 50));
  };
}
const remote = (change: Partial<RemoteFile> = {}): RemoteFile => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.jsonl`,
  ...{ bytes: content.length, sha256 },
  ...change,
});

describe('fetchFile', () => {
  it('puts the file in place, and asks no more when it is there', async () => {
    expect(await fetchFile(remote(), path)).toBe('downloaded');
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(await fetchFile(remote(), path)).toBe('there already');
    expect(asked).toEqual(['all']);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('continues where a broken download stopped', async () => {
    answer = breaksOffAfter(100_000);
    await expect(fetchFile(remote(), path)).rejects.toThrow(/bytes are kept, run the same command to continue/);
    expect(existsSync(path)).toBe(false);
    const kept = readFileSync(`${path}.part`).length;
    expect(kept).toBeGreaterThan(0);
    answer = ranged;
    expect(await fetchFile(remote(), path)).toBe('downloaded');
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(asked).toEqual(['all', `bytes=${kept}-`]);
  });

  it('downloads the whole file again from a source without range support', async () => {
    answer = breaksOffAfter(100_000);
    await expect(fetchFile(remote(), path)).rejects.toThrow();
    answer = (_request, response) => void response.writeHead(200).end(content);
    expect(await fetchFile(remote(), path)).toBe('downloaded');
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('refuses content with another hash, keeps nothing of it, and names both hashes', async () => {
    answer = (_request, response) => void response.writeHead(200).end('something else');
    const found = createHash('sha256').update('something else').digest('hex');
    await expect(fetchFile(remote(), path)).rejects.toThrow(
      expect.objectContaining({
        name: 'InputError',
        message: expect.stringMatching(new RegExp(`${found}, not ${sha256}`)),
      }),
    );
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  it('refuses another file that is there, and leaves it alone', async () => {
    await fetchFile(remote(), path);
    writeFileSync(path, 'mine');
    await expect(fetchFile(remote(), path)).rejects.toThrow(/differs from the source's file: move it away/);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('says what the source answered, or that nobody does', async () => {
    answer = (_request, response) => void response.writeHead(404).end();
    await expect(fetchFile(remote(), path)).rejects.toThrow(
      expect.objectContaining({ name: 'MissingPartError', message: expect.stringMatching(/status 404/) }),
    );
    await expect(fetchFile(remote({ url: 'http://127.0.0.1:1/file' }), path)).rejects.toThrow(
      /cannot fetch http:\/\/127\.0\.0\.1:1\/file: \S/,
    );
  });
});
