/** `watch`: what its server refuses, that it changes no file, how it starts and ends. */
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createWatchApp } from '../../cli/serve/app.ts';
import { type Listening, listen } from '../../cli/serve/listen.ts';
import { type WatchedRuns, watchedRuns } from '../../cli/serve/watched-runs.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeWatchedRun } from '../support/watched-run.ts';

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** `fetch` sets some headers by itself, the host's name among them. */
const ask = (port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.once('error', reject).end();
  });

async function served(runsDir: string, named: readonly string[]): Promise<{ port: number; runs: WatchedRuns }> {
  const runs = watchedRuns(runsDir, named);
  let server: Listening | null = null;
  server = await listen(
    createWatchApp(runs, () => server?.port ?? 0),
    0,
  );
  onTestFinished(() => {
    server?.close();
    runs.close();
  });
  return { port: server.port, runs };
}

let runsDir = '';
beforeAll(async () => {
  runsDir = mkdtempSync(join(tmpdir(), 'evenkeel-watch-'));
  mkdirSync(join(runsDir, 'a'));
  await writeWatchedRun(join(runsDir, 'a'), 'a', 2);
});
afterAll(() => rmSync(runsDir, { recursive: true, force: true }));

describe('the server of watch', () => {
  test('answers to its own names and port only, to reads only, and to no other site', async () => {
    const { port } = await served(runsDir, ['a']);
    const statusOf = async (headers: Record<string, string>, method?: string) =>
      (await ask(port, '/run/a/', headers, method)).status;
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])
      expect(await statusOf({ host: `${name}:${port}` }), name).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
      `a.localhost:${port}`,
    ])
      expect(await statusOf({ host }), host).toBe(403);
    const own = `127.0.0.1:${port}`;
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect(await statusOf({ host: own }, method), method).toBe(405);
    expect(await statusOf({ host: own }, 'HEAD')).toBe(200);
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`])
      expect(await statusOf({ host: own, origin }), origin).toBe(403);
    expect(await statusOf({ host: own, origin: `http://${own}` })).toBe(200);
  });

  test('every answer has a policy that allows its own files only, and none is open to other sites', async () => {
    const { port } = await served(runsDir, ['a']);
    for (const [path, host] of [
      ['/run/a/', `localhost:${port}`],
      ['/script.js', `localhost:${port}`],
      ['/', 'evil.example'],
      ['/nothing', `localhost:${port}`],
    ] as const) {
      const { headers } = await ask(port, path, { host });
      expect(headers['content-security-policy'], path).toMatch(/^default-src 'none';.* script-src 'self';/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect([headers['x-content-type-options'], headers['cache-control']]).toEqual(['nosniff', 'no-store']);
    }
  });

  test('shows named runs only, and no file beside them', async () => {
    const dir = temporaryFolder();
    cpSync(join(runsDir, 'a'), join(dir, 'a'), { recursive: true });
    cpSync(join(runsDir, 'a'), join(dir, 'b'), { recursive: true });
    writeFileSync(join(dir, 'secret'), 'secret');
    const { port } = await served(dir, ['a']);
    for (const path of ['/run/b/', '/run/..%2Fsecret/', '/run/a/../b/', '/run/secret/', '/secret'])
      expect((await ask(port, path)).status, path).toBe(404);
    const { status, headers } = await ask(port, '/');
    expect([status, headers['location']]).toEqual([302, '/run/a/']);
  });

  test('gives any example of a run, by its id', async () => {
    const { port } = await served(runsDir, ['a']);
    // By hand: the first 12 hex digits of the SHA-256 of the cell's key.
    const key = '["a","loops","first","mbpp","MBPP/7","python","original","default",0]';
    const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
    const { status, text } = await ask(port, `/run/a/examples/${id}`);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      expect.objectContaining({ id, model: 'first', taskId: 'MBPP/7' }),
    ]);
    for (const unknown of ['000000000000', "' OR 1=1", '..%2F..%2Fa'])
      expect((await ask(port, `/run/a/examples/${encodeURIComponent(unknown)}`)).status).toBe(404);
  });

  test('lists all runs with their state, damaged ones with the reason, and those that come later', async () => {
    const dir = temporaryFolder();
    for (const name of ['good', 'cut', 'copied']) cpSync(join(runsDir, 'a'), join(dir, name), { recursive: true });
    writeFileSync(join(dir, 'cut', 'manifest.json'), '{ "formatVersion": 1,');
    rmSync(join(dir, 'copied', 'ledger.sqlite'));
    const { port } = await served(dir, []);
    const { text } = await ask(port, '/');
    expect(text).toMatch(/<a href="\/run\/good\/">good<\/a>[\s\S]*interrupted[\s\S]*2 \/ 90/);
    expect(text).toMatch(/cut<small>[^<]*a manifest must be JSON, got truncated or modified text/);
    // Its results can be shown.
    expect(text).toMatch(
      /href="\/run\/copied\/">copied<\/a><small>[^<]*a run must have a ledger, this file is missing/,
    );
    cpSync(join(runsDir, 'a'), join(dir, 'later'), { recursive: true });
    expect((await ask(port, '/')).text).toContain('href="/run/later/"');
    expect((await ask(port, '/run/later/')).status).toBe(200);
  });

  test('a run that is damaged, and one that is deleted, is said in its page, and the server goes on', async () => {
    const dir = temporaryFolder();
    for (const name of ['a', 'b']) cpSync(join(runsDir, 'a'), join(dir, name), { recursive: true });
    const { port } = await served(dir, ['a', 'b']);
    expect((await ask(port, '/run/a/')).text).toContain('HTTP 503: the model is &lt;b&gt;loading&lt;/b&gt;');
    writeFileSync(join(dir, 'a', 'ledger.sqlite'), '');
    expect((await ask(port, '/run/a/')).text).toMatch(
      /running<\/span>[\s\S]*a run must have a ledger, this file is empty/,
    );
    rmSync(join(dir, 'a'), { recursive: true });
    expect((await ask(port, '/run/a/')).text).toMatch(/unreadable<\/span>[\s\S]*no run &quot;a&quot; in /);
    expect((await ask(port, '/run/b/')).text).toContain('interrupted');
  });

  test('damaged results are said in place of newer ones, and those shown before stay', async () => {
    const dir = temporaryFolder();
    cpSync(join(runsDir, 'a'), join(dir, 'a'), { recursive: true });
    const [part = ''] = globSync('loops/**/model=first-0/*.parquet', { cwd: join(dir, 'a') });
    const file = join(dir, 'a', part);
    const bytes = readFileSync(file);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const { runs } = await served(dir, ['a']);
    const gone = new AbortController();
    let said = '';
    await (await runs.find('a'))?.poll.follow(gone.signal, async ({ facts }) => {
      said = /No newer results: [^<]*/.exec(facts)?.[0] ?? '';
      if (said !== '') gone.abort();
    });
    expect(said).toMatch(/loops.*parquet.*verify a --repair/);
  });

  test('changes no file of a run that it shows, its list and its examples', async () => {
    const before = filesOf(runsDir);
    const { port, runs } = await served(runsDir, []);
    const gone = new AbortController();
    const following = (await runs.find('a'))?.poll.follow(gone.signal, async ({ revision }) => {
      if (revision > 0) gone.abort();
    });
    await following;
    expect((await runs.find('a'))?.content()).toContain('id="page-overview"');
    for (const path of ['/', '/run/a/', '/run/a/report', '/run/a/examples/000000000000']) await ask(port, path);
    expect(filesOf(runsDir)).toEqual(before);
  });
});

/** Path, bytes and time of change of every file and folder. */
const filesOf = (folder: string): string[] =>
  globSync('**', { cwd: folder }).map((path) => {
    const { mtimeMs, isDirectory } = {
      ...statSync(join(folder, path)),
      isDirectory: statSync(join(folder, path)).isDirectory(),
    };
    const sha256 = isDirectory
      ? ''
      : createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex');
    return `${path} ${mtimeMs} ${sha256}`;
  });

describe('the command watch', () => {
  test('says its address, serves, and ends at once with Ctrl-C, also while a page is made and read', async () => {
    const command = startCommand(['watch', 'a', '--runs-dir', runsDir, '--json']);
    onTestFinished(() => void command.process.kill('SIGKILL'));
    await expect.poll(command.stdout, { timeout: 20_000 }).toContain('\n');
    const { url, port } = JSON.parse(command.stdout()) as { url: string; port: number };
    expect(url).toBe(`http://127.0.0.1:${port}/`);
    const events = await fetch(`${url}run/a/events`);
    await events.body?.getReader().read();
    const stoppedMs = performance.now();
    command.process.kill('SIGINT');
    expect(await command.ended).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(2_000);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('a port in use is said at once, and so are no port and no run', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await sleep(50);
    const { port } = other.address() as AddressInfo;
    for (const [words, said] of [
      [
        ['a', '--port', String(port)],
        `--port  ${port} is in use by another program: name another port, or 0 for a free`,
      ],
      [['a', '--port', '70000'], '--port  must be a port from 0 to 65535; got "70000"'],
      [['aa'], 'no run "aa" in'],
    ] as const) {
      const { status, stderr } = await runCommand(['watch', ...words, '--runs-dir', runsDir]);
      expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
  });
});
