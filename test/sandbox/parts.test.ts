import { afterEach, describe, expect, it, vi } from 'vitest';
import { InputError } from '../../domain/errors.ts';
import { openSandbox, probeSandboxes } from '../../activities/sandboxes/index.ts';
import { createDeadline } from '../../sandbox/embedded/deadline.ts';
import { guardImports } from '../../sandbox/embedded/imports.ts';
import { createReplySplitter, encodeFrame, type Reply } from '../../sandbox/embedded/protocol.ts';
import { isValue } from '../../sandbox/embedded/value.ts';
import type { SandboxTier } from '../../schemas/states.ts';

describe('deadline', () => {
  const at = (wallMs: number, cpuMs: number) => {
    let clock = { wall: 0, cpu: 0 };
    const deadline = createDeadline(
      () => clock.wall,
      () => clock.cpu,
    );
    deadline.start(100);
    clock = { wall: wallMs, cpu: cpuMs };
    return deadline.check;
  };

  it.each([
    [99, 99],
    [499, 99],
    [200, 0],
  ])('a step of %d ms wall and %d ms CPU may go on under a limit of 100 ms', (wall, cpu) => {
    expect(at(wall, cpu)).not.toThrow();
  });

  it.each([
    [100, 100, 'cpu_timeout'],
    [499, 100, 'cpu_timeout'],
    [500, 99, 'wall_timeout'],
  ])('a step of %d ms wall and %d ms CPU ends with %3$s', (wall, cpu, end) => {
    expect(at(wall, cpu)).toThrow(expect.objectContaining({ end }));
  });

  it('nothing is due after stop', () => {
    const deadline = createDeadline(
      () => 0,
      () => 0,
    );
    deadline.start(0);
    deadline.stop();
    expect(deadline.check).not.toThrow();
  });
});

describe('guarded imports', () => {
  const log: string[] = [];
  const table = {
    clock_res_get: () => log.push('clock'),
    run_js: () => log.push('js'),
    __syscall_socket: () => log.push('socket'),
    fd_write: () => log.push('write'),
  };
  const guard = (sealed: boolean) =>
    guardImports(table, { fd_write: () => 'ours' }, () => sealed) as Record<string, () => unknown>;

  it("are the interpreter's own before the seal", () => {
    const open = guard(false);
    open['run_js']?.();
    open['fd_write']?.();
    expect(log.splice(0)).toEqual(['js', 'write']);
  });

  it('are ours, harmless or refused after it', () => {
    const closed = guard(true);
    expect(closed['fd_write']?.()).toBe('ours');
    expect(closed['__syscall_socket']?.()).toBe(-63);
    closed['clock_res_get']?.();
    expect(() => closed['run_js']?.()).toThrow(expect.objectContaining({ end: 'killed' }));
    expect(log.splice(0)).toEqual(['clock']);
  });
});

describe('reply frames', () => {
  const replies: Reply[] = [
    { type: 'ready', nonce: '' },
    { type: 'value', nonce: 'n', value: '"\\ud800 é 😀"', ms: 0.5 },
    { type: 'loaded', nonce: 'n' },
  ];
  const stream = Buffer.concat(replies.map((reply) => encodeFrame(reply)));

  it.each([1, 2, 3, 5, 7, 64, stream.length])('come out whole when the stream comes in pieces of %d bytes', (size) => {
    const split = createReplySplitter();
    const got: Reply[] = [];
    for (let i = 0; i < stream.length; i += size) got.push(...split(stream.subarray(i, i + size)));
    expect(got).toEqual(replies);
  });

  it('a length beyond the bound and a body that is no JSON are errors', () => {
    expect(() => createReplySplitter()(Buffer.from('HTTP/1.1 200 OK'))).toThrow(RangeError);
    expect(() => createReplySplitter()(Buffer.from([1, 0, 0, 0, 0x7b]))).toThrow(SyntaxError);
  });
});

describe('isValue', () => {
  it.each([
    'null',
    'true',
    '1',
    '-9007199254740992',
    '"x"',
    '[]',
    '[[1],{"t":[]}]',
    '{"f":"1e-07"}',
    '{"f":"nan"}',
    '{"f":"-inf"}',
    '{"i":"-9"}',
    '{"c":["1.5","-0.0"]}',
    '{"b":"00ff"}',
    '{"d":[[1,{"s":[]}]]}',
    '{"fs":["a"]}',
    '{"x":"K"}',
  ])('%s is a value', (text) => {
    expect(isValue(text)).toBe(true);
  });

  it.each([
    '',
    '{}',
    '1.5',
    '1e400',
    '9007199254740994',
    '[1',
    '{"f":1}',
    '{"f":"1_0"}',
    '{"i":"0x1"}',
    '{"i":""}',
    '{"c":["1"]}',
    '{"b":"0"}',
    '{"b":"GG"}',
    '{"d":[[1]]}',
    '{"t":{}}',
    '{"q":[]}',
    '{"t":[],"s":[]}',
    '[{"t":[undefined]}]',
    '1 2',
    '{"x":3}',
  ])('%s is none', (text) => {
    expect(isValue(text)).toBe(false);
  });
});

describe('tiers', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('none is refused, and a name that is no tier lists those that are', async () => {
    await expect(openSandbox('none')).rejects.toThrow("sandbox tier 'none' is refused");
    // Red before for the second where a caller names it: "tier.open is not a function".
    for (const name of ['cotnainer', 'toString', '__proto__']) {
      vi.stubEnv('EVENKEEL_SANDBOX', name);
      await expect(openSandbox()).rejects.toThrow(InputError);
      await expect(openSandbox()).rejects.toThrow(
        `EVENKEEL_SANDBOX  must be one of auto, container, bubblewrap, embedded; got '${name}'`,
      );
      await expect(openSandbox(name as SandboxTier)).rejects.toThrow('it has: container, bubblewrap, embedded');
    }
  });

  it('the probe says in one line what would be used, and why nothing stronger is', async () => {
    vi.stubEnv('EVENKEEL_SANDBOX', '');
    const line = await probeSandboxes();
    expect(line).toMatch(/^(?:container|bubblewrap|embedded): [^\n]+$/);
    if (line.startsWith('embedded'))
      expect(line).toMatch(/pyodide \d+\.\d+\.\d+ \(CPython 3\.\d+\.\d+\).*; not container: .*; not bubblewrap: /);
    vi.stubEnv('EVENKEEL_SANDBOX', 'embedded');
    expect(await probeSandboxes()).toBe('embedded, as EVENKEEL_SANDBOX says');
  });
});
