/** The tier without an engine: bubblewrap around the same zygote. Memory is limited by process, not by slot. Docs: docs/sandbox.md. */
import { availableParallelism } from 'node:os';
import { createBubblewrapHost, probeBubblewrap } from './bubblewrap-host.ts';
import { checkPython, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { createTimingLane } from './timing-lane.ts';
import { createZygotePool } from './zygote-pool.ts';

/** Throws `MissingPartError` where bubblewrap is missing or may not make namespaces. */
export async function createBubblewrapSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { name, digest } = probeBubblewrap();
  const slots = Math.max(1, options.processes ?? availableParallelism());
  const host = createBubblewrapHost();
  const pool = createZygotePool(host, slots, options.silenceMs);
  const judges = createZygotePool(createBubblewrapHost(), 1, options.silenceMs);
  const run: Sandbox['run'] = async (program, limits, signal) => {
    checkPython(program, 'bubblewrap');
    return await pool.run(program, limits, signal);
  };
  const { time, ...timing } = createTimingLane(host, slots, (work) => pool.quiet((closing) => judges.quiet(() => work(closing))));
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), judges.close()]);
    await timing.close();
  };
  return await Promise.resolve({
    tier: 'bubblewrap',
    engine: name,
    imageDigest: digest,
    concurrency: slots,
    run,
    runApart: judges.run,
    time,
    close,
  });
}
