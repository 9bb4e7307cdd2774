/** Slots of a service that is played: what it loses, and when, is up to each test. */
import { expect, test } from 'vitest';
import { createQualityPool } from '../../activities/sandboxes/zygote/quality-pool.ts';
import { SandboxFault } from '../../activities/sandboxes/sandbox.ts';
import type { ZygoteHost, ZygoteLink } from '../../activities/sandboxes/zygote/zygote-link.ts';

interface Batch {
  readonly measure: number;
  readonly sizes: readonly number[];
}

/** `losesAt` says whether the slot is lost with these texts in it. */
function host(losesAt: (texts: readonly string[]) => boolean): ZygoteHost & { readonly batches: string[][] } {
  const batches: string[][] = [];
  const start = (): Promise<ZygoteLink> => {
    let hear: (chunk: Buffer) => void = () => undefined;
    let end: (why: string) => void = () => undefined;
    const gone = new Promise<string>((resolve) => {
      end = resolve;
    });
    const write = (bytes: Buffer): void => {
      if (bytes.toString().startsWith('evenkeel-sandbox')) {
        setImmediate(() => hear(frame({ ready: { version: '3.11.2', pylint: '3.2.5' } })));
        return;
      }
      const cut = bytes.indexOf(10);
      const { measure, sizes } = JSON.parse(bytes.toString('utf8', 4, cut)) as Batch;
      let at = cut + 1;
      const texts = sizes.map((size) => {
        at += size;
        return bytes.toString('utf8', at - size, at);
      });
      batches.push(texts);
      setImmediate(() => (losesAt(texts) ? end('lost') : hear(answerTo(measure, texts))));
    };
    const listen = (onChunk: (chunk: Buffer) => void): void => {
      hear = onChunk;
    };
    return Promise.resolve({
      write,
      listen,
      gone,
      wasKilled: () => false,
      stop: () => Promise.resolve(end('stopped')),
    });
  };
  return {
    batches,
    start,
    dedicatedCore: () => Promise.resolve(null),
    isWell: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

/** As many handlers as the text has letters `e`. */
function answerTo(measure: number, texts: readonly string[]): Buffer {
  const answers = texts.map((text) =>
    JSON.stringify({ handlers: text.split('e').length - 1, raises: 0, reason: null, messages: [] }),
  );
  return frame(
    { measured: measure, disagreements: 0, sizes: answers.map((answer) => answer.length) },
    answers.join(''),
  );
}

function frame(header: unknown, body = ''): Buffer {
  const content = Buffer.from(`${JSON.stringify(header)}\n${body}`);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([size, content]);
}

test('answers come in the order of the sources, each different one measured once', async () => {
  const service = host(() => false);
  const pool = createQualityPool(service, 1);
  const measured = await pool.measure(['e', 'ee', 'e\n', 'x']);
  expect(measured.map(({ handlers }) => handlers)).toEqual([1, 2, 1, 0]);
  expect(service.batches).toEqual([['e\n', 'ee\n', 'x\n']]);
  await pool.close();
});

test('what was in a lost slot is measured again by itself, and only what is lost twice is killed', async () => {
  const service = host((texts) => texts.includes('bad\n'));
  const pool = createQualityPool(service, 1);
  const measured = await pool.measure(['e', 'bad', 'ee']);
  expect(measured.map(({ reason, handlers }) => [reason, handlers])).toEqual([
    [null, 1],
    ['killed', null],
    [null, 2],
  ]);
  expect(service.batches.slice(1).every((texts) => texts.length === 1)).toBe(true);
  await pool.close();
});

test('while something wants quiet, nothing is measured; then all is', async () => {
  const service = host(() => false);
  const pool = createQualityPool(service, 2);
  let release: () => void = () => undefined;
  const quiet = pool.quiet(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  const measured = pool.measure(['e']);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(service.batches).toEqual([]);
  release();
  await quiet;
  expect((await measured)[0]?.handlers).toBe(1);
  await pool.close();
});

test('a slot that finds no work does not stand in the way of quiet, nor of its own next work', async () => {
  const service = host(() => false);
  const pool = createQualityPool(service, 2);
  await pool.measure(['e']);
  expect(await pool.quiet(() => Promise.resolve('quiet'))).toBe('quiet');
  await pool.measure(['ee', 'eee', 'x', 'y']);
  expect(service.batches.map(({ length }) => length)).toEqual([1, 2, 1, 1]);
  await pool.close();
});

test('a closed pool gives its callers a fault of ours, never a measure', async () => {
  const pool = createQualityPool(
    host(() => false),
    1,
  );
  const asked = pool.measure(['e', 'ee']);
  await Promise.all([expect(asked).rejects.toThrow(SandboxFault), pool.close()]);
  await expect(pool.measure(['e'])).rejects.toThrow(SandboxFault);
});
