import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { execFileSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MissingPartError } from '../../../domain/errors.ts';
import { chooseServer } from '../../../workers/temporal/choose-server.ts';
import { temporalModules } from '../../support/temporal-modules.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const refusing = 'http://127.0.0.1:1';

interface Machine {
  readonly bin: string;
  readonly cache: string;
  readonly lines: string[];
  choose(more?: { env?: Record<string, string>; downloadUrl?: string }): ReturnType<typeof chooseServer>;
}

/** A machine with nothing on PATH but what the test puts into `bin`. */
function bareMachine(): Machine {
  const folder = temporaryFolder();
  const [bin, cache] = [join(folder, 'bin'), join(folder, 'cache')];
  mkdirSync(bin);
  const lines: string[] = [];
  return {
    bin,
    cache,
    lines,
    choose: ({ env = {}, downloadUrl = refusing } = {}) =>
      chooseServer({
        env: { PATH: bin, EVENKEEL_CACHE: cache, ...env },
        onProgress: (line) => lines.push(line),
        downloadUrl,
      }),
  };
}

function putScript(file: string, body: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

/**
 * A `go` that says its version, has downloaded the server's modules and takes a second to "build" its eighth argument,
 * the one after -o, noting each build.
 */
function putGo(
  machine: Machine,
  version: string,
  build = 'echo built >> "$NOTES"; /bin/sleep 1; echo "#!/bin/sh" > "$8"',
): void {
  const modules = temporalModules(join(machine.bin, 'modules')).map((folder) => `echo ${folder}`);
  const answers = [`env*) echo ${version};;`, `"list -m"*) ${modules.join('; ')};;`, `*" -o "*) ${build};;`, 'esac'];
  putScript(join(machine.bin, 'go'), ['case "$*" in', ...answers].join('\n'));
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('with nothing installed and a network that never answers, it fails within 5 s and names every way', async () => {
  const silent = await serve(() => {});
  const startMs = performance.now();
  const failure = await bareMachine()
    .choose({ downloadUrl: silent })
    .catch((error: unknown) => error);
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(failure).toBeInstanceOf(MissingPartError);
  const { message } = failure as MissingPartError;
  for (const way of ['TEMPORAL_ADDRESS', '`temporal` is on PATH', 'no answer within 3 s', 'no `go` on PATH'])
    expect(message).toContain(way);
});

test('TEMPORAL_ADDRESS comes first, before an executable on PATH', async () => {
  const machine = bareMachine();
  putScript(join(machine.bin, 'temporal'), 'echo "temporal version 1.7.0 (Server 1.31.0, UI 2.0.0)"');
  const choice = await machine.choose({
    env: { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'lab' },
  });
  expect(choice).toMatchObject({ kind: 'cluster', settings: { address: 'temporal.example:7233', namespace: 'lab' } });
});

test('an executable on PATH is used with its own version', async () => {
  const machine = bareMachine();
  putScript(join(machine.bin, 'temporal'), 'echo "temporal version 1.7.0 (Server 1.31.0, UI 2.0.0)"');
  const choice = await machine.choose();
  expect(choice).toMatchObject({
    kind: 'executable',
    executable: { path: join(machine.bin, 'temporal'), version: '1.7.0' },
  });
  expect(choice.line).toContain('PATH');
});

test('another program called temporal is ignored, and the one in the cache used', async () => {
  const machine = bareMachine();
  putScript(join(machine.bin, 'temporal'), 'echo "a calendar"');
  putScript(join(machine.cache, 'temporal-1.8.2', 'temporal'), '');
  expect(await machine.choose()).toMatchObject({
    executable: { path: join(machine.cache, 'temporal-1.8.2', 'temporal'), version: '1.8.2' },
  });
});

test('a download is unpacked into the cache and used', async () => {
  const machine = bareMachine();
  const source = temporaryFolder();
  putScript(join(source, 'temporal'), 'echo downloaded');
  const archive = execFileSync('tar', ['-czf', '-', '-C', source, 'temporal']);
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/archive') response.end(archive);
    else
      response.end(JSON.stringify({ archiveUrl: `http://${request.headers.host}/archive`, fileToExtract: 'temporal' }));
  });
  const choice = await machine.choose({ downloadUrl: url, env: { PATH: `${machine.bin}:${process.env['PATH']}` } });
  if (choice.kind !== 'executable') throw new Error('expected an executable');
  expect(asked[0]).toMatch(/^\/cli\/v1\.8\.2\?/);
  expect(execFileSync(choice.executable.path, { encoding: 'utf8' })).toBe('downloaded\n');
});

test('three processes at once build once, and leave only the executable and the lock', async () => {
  const machine = bareMachine();
  const notes = join(machine.bin, 'notes');
  putGo(machine, 'go1.26.8');
  const choices = await Promise.all([1, 2, 3].map(() => machine.choose({ env: { NOTES: notes } })));
  expect(choices.map((choice) => choice.kind)).toEqual(['executable', 'executable', 'executable']);
  expect(readFileSync(notes, 'utf8')).toBe('built\n');
  expect(readdirSync(join(machine.cache, 'temporal-1.8.2')).sort()).toEqual(['lock', 'temporal']);
  expect(machine.lines.some((line) => /building the Temporal CLI 1\.8\.2 .* 0 s/.test(line))).toBe(true);
});

test('a build that fails leaves nothing and says what go said', async () => {
  const machine = bareMachine();
  putGo(machine, 'go1.26.8', 'echo "go: proxy.example: connection refused" >&2; exit 1');
  await expect(machine.choose()).rejects.toThrow(/proxy\.example: connection refused/);
  expect(existsSync(join(machine.cache, 'temporal-1.8.2', 'temporal'))).toBe(false);
  expect(readdirSync(join(machine.cache, 'temporal-1.8.2'))).toEqual(['lock']);
});

test('a Go that is too old is named with its version, and not tried', async () => {
  const machine = bareMachine();
  putGo(machine, 'go1.19.8', 'echo built >> "$NOTES"');
  const notes = join(machine.bin, 'notes');
  await expect(machine.choose({ env: { NOTES: notes } })).rejects.toThrow(/needs Go 1\.24 or newer, found go1\.19\.8/);
  expect(existsSync(notes)).toBe(false);
});

// Red before: "no Temporal server, and no way to start one", after a try to download it.
test('a cache that takes no files is named, before anything is downloaded or built', async () => {
  const machine = bareMachine();
  await expect(machine.choose({ env: { EVENKEEL_CACHE: '/proc' } })).rejects.toThrow(
    /^\/proc {2}this user cannot write to the cache folder .*; set EVENKEEL_CACHE to a folder that can be written$/,
  );
  expect(machine.lines).toEqual([]);
});
