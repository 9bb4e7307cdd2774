import { describe, expect, it } from 'vitest';
import { createStreamSplitter } from '../../../activities/sandboxes/container/container-attach.ts';
import { createFrameSplitter, encodeFrame } from '../../../activities/sandboxes/zygote/zygote-frames.ts';
import { type SeccompProfile, seccompFilter } from '../../../activities/sandboxes/seccomp-filter.ts';

/** Cuts bytes into chunks of 1 to `most` bytes, the same for the same seed. */
function chunked(bytes: Buffer, most: number, seed: number): Buffer[] {
  const chunks = [];
  for (let at = 0, state = seed; at < bytes.length; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    const size = 1 + (state % most);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

describe('frames', () => {
  const header = (run: number) => ({ run, suite: 1, lane: 'isolated' }) as const;
  const texts = ['', 'plain', 'é\n{}', 'x'.repeat(5000)];

  it.each([1, 3, 7, 4096, 100_000])('come out as they went in, cut into chunks of at most %i bytes', (most) => {
    const stream = Buffer.concat(Array.from({ length: 20 }, (_, run) => encodeFrame(header(run), texts)));
    const split = createFrameSplitter();
    const frames = chunked(stream, most, 5).flatMap(split);
    expect(frames.map(({ header: got }) => (got as unknown as { run: number }).run)).toEqual(
      Array.from({ length: 20 }, (_, run) => run),
    );
    for (const { bodies } of frames) expect(bodies.toString()).toBe(texts.join(''));
  });

  it('an oversized length and a header that is not JSON are errors', () => {
    expect(() => createFrameSplitter()(Buffer.from([255, 255, 255, 255]))).toThrow(RangeError);
    expect(() => createFrameSplitter()(Buffer.from([3, 0, 0, 0, 0x7b, 0x7b, 10]))).toThrow(SyntaxError);
  });
});

describe("an engine's stream", () => {
  it.each([1, 5, 8, 9, 1000])('is cut by its own framing, in chunks of at most %i bytes', (most) => {
    const parts: (readonly [number, string])[] = [
      [1, 'one'],
      [2, 'error'],
      [1, ''],
      [1, 'x'.repeat(3000)],
    ];
    const stream = Buffer.concat(
      parts.map(([which, text]) => {
        const head = Buffer.alloc(8);
        head[0] = which;
        head.writeUInt32BE(text.length, 4);
        return Buffer.concat([head, Buffer.from(text)]);
      }),
    );
    const heard = new Map<number, string>();
    const split = createStreamSplitter(
      (which, part) => void heard.set(which, (heard.get(which) ?? '') + part.toString()),
    );
    for (const chunk of chunked(stream, most, 11)) split(chunk);
    expect([...heard]).toEqual([
      [1, `one${'x'.repeat(3000)}`],
      [2, 'error'],
    ]);
  });
});

describe('a compiled filter', () => {
  const profile: SeccompProfile = {
    defaultErrnoRet: 1,
    syscalls: [
      { names: ['read', 'write', 'only_elsewhere'], action: 'SCMP_ACT_ALLOW' },
      { names: ['socket'], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value: 1, op: 'SCMP_CMP_EQ' }] },
      {
        names: ['clone'],
        action: 'SCMP_ACT_ALLOW',
        args: [{ index: 0, value: 0x7e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      },
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
    ],
  };
  const filter = seccompFilter(profile, { read: 0, write: 1, socket: 41, clone: 56, clone3: 435 }, 'x64');
  const [allowed, refused, killed] = ['allowed', 'errno 1', 'killed'];

  it.each([
    ['read', 0, 0, allowed],
    ['write', 1, 0, allowed],
    ['a local socket', 41, 1, allowed],
    ['an internet socket', 41, 2, refused],
    ['a fork', 56, 17, allowed],
    ['a new user namespace', 56, 0x10000011, refused],
    ['clone3, which libraries do without', 435, 0, 'errno 38'],
    ['ptrace, which is not listed', 101, 0, refused],
    ['a number of the x32 interface', 0x40000000, 0, killed],
  ])('answers %s', (_name, number, argument, wanted) => {
    expect(answerOf(filter, 0xc000003e, number, argument)).toBe(wanted);
  });

  it('ends a process that calls by another architecture', () => {
    expect(answerOf(filter, 0x40000003, 0, 0)).toBe(killed);
  });

  it('is not made for an architecture that is not known', () => {
    expect(() => seccompFilter(profile, {}, 'mips')).toThrow('not mips');
  });
});

/** The kernel's machine, as far as filters use it (Documentation/networking/filter.rst). */
function answerOf(filter: Buffer, architecture: number, number: number, argument: number): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  data.writeUInt32LE(argument, 16);
  let a = 0;
  for (let at = 0; ; at++) {
    const [code, ifTrue, ifFalse, k] = [
      filter.readUInt16LE(8 * at),
      filter.readUInt8(8 * at + 2),
      filter.readUInt8(8 * at + 3),
      filter.readUInt32LE(8 * at + 4),
    ];
    if (code === 0x20) a = data.readUInt32LE(k);
    else if (code === 0x54) a = (a & k) >>> 0;
    else if (code === 0x15) at += a === k ? ifTrue : ifFalse;
    else if (code === 0x35) at += a >= k ? ifTrue : ifFalse;
    else if (code === 0x06) return k === 0x7fff0000 ? 'allowed' : k === 0x80000000 ? 'killed' : `errno ${k & 0xffff}`;
    else throw new Error(`instruction ${code}`);
  }
}
