/**
 * The container tier: hardened, long-lived containers of a local or remote engine. Each has a resident interpreter that
 * forks a child per program. Docs: docs/sandbox.md, docs/decisions/sandbox/0010-container-sandbox.md.
 */
import { availableParallelism } from 'node:os';
import { MissingPartError } from '../../../domain/errors.ts';
import type { Limits } from '../../../schemas/program.ts';
import { type ContainerEngine, findEngine } from './container-engine.ts';
import { createContainerHost, slotMemoryBytes } from './container-host.ts';
import { buildImage } from './container-image.ts';
import { createQualityPool } from '../zygote/quality-pool.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { createTimingLane } from '../timing-lane.ts';
import { ZygotePool } from '../zygote/zygote-pool.ts';

/** Memory of a slot besides the program's limit, bytes. */
const reservedBytes = 128 * 1024 * 1024;

/** Builds the image if it is missing. Throws if no engine answers, or the image cannot be built. */
export async function createContainerSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { engine, why } = await findEngine();
  if (engine === null)
    throw new MissingPartError(
      `the container sandbox needs an engine: ${why}; start one, or set DOCKER_HOST to its address`,
    );
  return await openOn(engine, options);
}

export async function openOn(engine: ContainerEngine, options: SandboxOptions = {}): Promise<Sandbox> {
  const imageDigest = await buildImage(engine.docker, options.onProgress ?? (() => undefined));
  const slots = Math.max(1, options.processes ?? availableParallelism());
  const host = await createContainerHost(engine);
  const pool = new ZygotePool(host, slots, options.silenceMs);
  const judges = new ZygotePool(await createContainerHost(engine), 1, options.silenceMs);
  const quality = createQualityPool(await createContainerHost(engine, 'quality.py'), slots);
  const run: Sandbox['run'] = (program, limits, signal, onStart) => {
    checkMemory(limits);
    return pool.run(program, limits, signal, onStart);
  };
  const { time, ...timing } = createTimingLane(host, slots, (work) =>
    pool.quiet((closing) => judges.quiet(() => quality.quiet(() => work(closing)))),
  );
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), judges.close(), quality.close()]);
    await timing.close();
  };
  const runApart: Sandbox['run'] = (program, limits, signal) => judges.run(program, limits, signal);
  const { measure } = quality;
  return {
    tier: 'container',
    engine: engine.name,
    imageDigest,
    concurrency: slots,
    run,
    runApart,
    time,
    measure,
    close,
  };
}

function checkMemory({ memoryBytes }: Limits): void {
  const most = slotMemoryBytes - reservedBytes;
  if (memoryBytes > most)
    throw new RangeError(
      `this sandbox allows a program at most ${most} bytes of memory, the limits say ${memoryBytes}`,
    );
}
