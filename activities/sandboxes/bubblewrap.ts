/**
 * The tier without a container engine: bubblewrap around the same zygote. Memory is limited per process, not per slot.
 * Docs: docs/sandbox.md.
 */
import { availableParallelism } from 'node:os';
import { createBubblewrapHost, probeBubblewrap, python } from './bubblewrap-host.ts';
import { pylintPackages } from './pylint-packages.ts';
import { checkPython, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { createTimingLane } from './timing-lane.ts';
import { createQualityPool } from './zygote/quality-pool.ts';
import { ZygotePool } from './zygote/zygote-pool.ts';

/** Throws `MissingPartError` if bubblewrap is missing or may not create namespaces. */
export async function createBubblewrapSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { name, digest } = probeBubblewrap();
  const slots = Math.max(1, options.processes ?? availableParallelism());
  const host = createBubblewrapHost();
  const pool = new ZygotePool(host, slots, options.silenceMs);
  const judges = new ZygotePool(createBubblewrapHost(), 1, options.silenceMs);
  const { cacheFolder } = options;
  // Slots start, and Pylint is installed if it is missing, with the first program to be measured.
  const quality =
    cacheFolder === undefined
      ? null
      : createQualityPool(
          createBubblewrapHost('quality.py', () => pylintPackages(cacheFolder, python)),
          slots,
        );
  const run: Sandbox['run'] = async (program, limits, signal, onStart) => {
    checkPython(program, 'bubblewrap');
    return await pool.run(program, limits, signal, onStart);
  };
  const { time, ...timing } = createTimingLane(host, slots, (work) =>
    pool.quiet((closing) =>
      judges.quiet(() => (quality === null ? work(closing) : quality.quiet(() => work(closing)))),
    ),
  );
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), judges.close(), quality?.close()]);
    await timing.close();
  };
  return await Promise.resolve({
    tier: 'bubblewrap',
    engine: name,
    imageDigest: digest,
    concurrency: slots,
    run,
    runApart: (program, limits, signal) => judges.run(program, limits, signal),
    time,
    ...(quality === null ? {} : { measure: quality.measure }),
    close,
  });
}
