import { PassThrough } from 'node:stream';
import Docker from 'dockerode';
import { describe, expect, it } from 'vitest';
import { followEngine } from '../../activities/sandboxes/container/image-log.ts';

/** What Docker's and Podman's builders write: JSON objects, one a line. */
async function follow(
  events: readonly object[],
): Promise<{ readonly shown: string[]; readonly failure: string | null }> {
  const stream = new PassThrough();
  const shown: string[] = [];
  const end = followEngine(new Docker({ socketPath: '/nowhere' }), stream, (line) => shown.push(line));
  for (const event of events) stream.write(`${JSON.stringify(event)}\n`);
  stream.end();
  return {
    shown,
    failure: await end.then(
      () => null,
      (error: Error) => error.message,
    ),
  };
}

const packages = Array.from({ length: 30 }, (_, index) => ({ stream: `Get:${index} http://deb.debian.org package\n` }));

describe('the log of an image', () => {
  it('that is built is its steps, each a short line', async () => {
    const steps = [
      { stream: 'Step 1/2 : FROM debian\n' },
      ...packages,
      { stream: `STEP 2/2: RUN ${'x'.repeat(500)}\n` },
      { stream: 'Successfully built\n' },
    ];
    const { shown, failure } = await follow(steps);
    expect([shown[0], shown[1]?.length, shown.length, failure]).toEqual(['Step 1/2 : FROM debian', 120, 2, null]);
  });

  it('that fails is shown whole, and its last 20 lines are in the error', async () => {
    const { shown, failure } = await follow([
      { stream: 'Step 1/2 : FROM debian\n' },
      ...packages,
      { error: 'no space left on device' },
    ]);
    expect(shown).toEqual([
      'Step 1/2 : FROM debian',
      'Step 1/2 : FROM debian',
      ...packages.map(({ stream }) => stream.trim()),
    ]);
    expect(failure?.split('\n')).toEqual([
      'no space left on device',
      ...packages.slice(10).map(({ stream }) => stream.trim()),
    ]);
  });
});
