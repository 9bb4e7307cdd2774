/** Worker processes that end by themselves, and that others end. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorkerProcesses } from '../../workers/worker-processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts a worker whose program is `script`. */
function started(script: string) {
  const entry = join(temporaryFolder(), 'entry.mjs');
  writeFileSync(entry, script);
  let giveUp: (error: Error) => void = () => {};
  const givenUp = new Promise<Error>((resolve) => {
    giveUp = resolve;
  });
  const workers = startWorkerProcesses({
    split: [['io']],
    env: process.env,
    entry,
    onLine: () => {},
    onGiveUp: giveUp,
  });
  return { workers, givenUp };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
};

test.each([
  ['with an exit status', "console.error('no memory here'); process.exit(1);", 'exit status 1'],
  ['as Node does without memory', "console.error('FATAL: no memory here'); process.abort();", 'SIGABRT'],
])('a worker that ends %s within seconds of each start is given up soon, with what it said', async (_, script, end) => {
  const { givenUp } = started(script);
  const error = await givenUp;
  expect(error.name).toBe('MissingPartError');
  expect(error.message).toMatch(
    new RegExp(
      `^the io worker ended 5 times in a row within seconds of its start, .*${end}; .* It said: .*no memory here$`,
    ),
  );
});

// Red before: both ended the command with the status of a run that was never begun.
test.each([
  ['at its first start is a missing part', false, 'MissingPartError'],
  ['after it was killed in a run leaves the run incomplete', true, 'Error'],
])('one that refuses to work %s', async (_, isLater, name) => {
  const flag = join(temporaryFolder(), 'started');
  const script = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
if (${isLater} && !existsSync(${JSON.stringify(flag)})) {
  writeFileSync(${JSON.stringify(flag)}, '');
  setInterval(() => {}, 1_000);
} else {
  console.error('the program was changed');
  process.exitCode = 2;
}`;
  const { workers, givenUp } = started(script);
  if (isLater) {
    await until(() => existsSync(flag));
    process.kill(workers.pids()[0] as number, 'SIGKILL');
  }
  const error = await givenUp;
  expect([error.name, error.message]).toEqual([name, 'the io worker cannot start: the program was changed']);
});

// Red before: the message named no cause that a person could remove.
test('one that gets too few addresses is given up with the limit that causes it', async () => {
  const line = '# Fatal process out of memory: Failed to reserve virtual memory for CodeRange';
  const { givenUp } = started(`console.error(${JSON.stringify(line)}); process.abort();`);
  const { message } = await givenUp;
  expect(message).toContain('too few addresses: the shell or the container limits address space');
  expect(message).toContain('`ulimit -v unlimited`');
  expect(message).toMatch(/It said: .*CodeRange$/);
});

test('one that others kill is started again however soon they do it', async () => {
  const { workers, givenUp } = started('setInterval(() => {}, 1_000);');
  let isGivenUp = false;
  void givenUp.then(() => {
    isGivenUp = true;
  });
  for (let kills = 1; kills <= 6; kills += 1) {
    const [pid] = workers.pids();
    process.kill(pid as number, 'SIGKILL');
    await until(() => ![undefined, pid].includes(workers.pids()[0]));
  }
  expect(isGivenUp).toBe(false);
  await workers.stop({ callLimitMs: 0 });
});

/** Two workers: `llm` ends when it is told to, `io` is stopped once it has started. */
async function oneStopped() {
  const folder = temporaryFolder();
  const entry = join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(folder)} + '/' + process.env.EVENKEEL_ROLES, String(process.pid));
setInterval(() => {}, 1_000);`,
  );
  const lines: string[] = [];
  const workers = startWorkerProcesses({
    split: [['llm'], ['io']],
    ...{ env: process.env, entry, onLine: (line: string) => lines.push(line), onGiveUp: () => {} },
  });
  const written = (role: string): string =>
    existsSync(join(folder, role)) ? readFileSync(join(folder, role), 'utf8') : '';
  await until(() => written('llm') !== '' && written('io') !== '');
  const stopped = Number(written('io'));
  process.kill(stopped, 'SIGSTOP');
  return { workers, lines, stopped };
}

// Red before: the command waited for it as long as a call may take, an hour with `timeoutMs: 3600000`.
test('a stopped worker of a run that is over is ended after a while, which is said', async () => {
  const { workers, lines, stopped } = await oneStopped();
  const startMs = performance.now();
  await workers.stop({ callLimitMs: 3_600_000, endSilentMs: 3_000 });
  const elapsedMs = performance.now() - startMs;
  expect(elapsedMs).toBeGreaterThan(1_500);
  expect(elapsedMs).toBeLessThan(10_000);
  expect(() => process.kill(stopped, 0)).toThrow('ESRCH');
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^ended worker ${stopped} \\(io\\), which has not answered for [34] s: the run needs`),
    ),
  ]);
});

// Red before: it was counted, and named as "busy or stuck" after 25 s.
test('one that has ended is not waited for, and a stopped one of a run that goes on is kept', async () => {
  const { workers, stopped } = await oneStopped();
  const leave = new AbortController();
  const end = workers.stop({ callLimitMs: 3_600_000, leave: leave.signal });
  await until(() => workers.pids().length < 2);
  expect(workers.pids()).toEqual([stopped]);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(workers.pids()).toEqual([stopped]);
  leave.abort();
  await end;
  expect(workers.pids()).toEqual([]);
});
