/**
 * The container tier: hardened, long-lived containers of a local or remote engine, in each a resident interpreter that forks a child per program.
 * Docs: docs/sandbox.md, docs/decisions/0010-container-sandbox.md.
 */
import { availableParallelism } from 'node:os';
import { MissingPartError } from '../../domain/errors.ts';
import type { Limits } from '../../schemas/program.ts';
import { type ContainerEngine, findEngine } from './container-engine.ts';
import { createContainerHost, slotMemoryBytes } from './container-host.ts';
import { buildImage } from './container-image.ts';
import { createQualityPool } from './quality-pool.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import { createTimingLane } from './timing-lane.ts';
import { createZygotePool } from './zygote-pool.ts';

/** Room in a slot beside what a program may add, bytes. */
const reservedBytes = 128 * 1024 * 1024;

/** Builds the image if need be. Throws when no engine answers, or the image cannot be built. */
export async function createContainerSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { engine, why } = await findEngine();
  if (engine === null) throw new MissingPartError(`the container sandbox needs an engine: ${why}; start one, or name it in DOCKER_HOST`);
  return await openOn(engine, options);
}

export async function openOn(engine: ContainerEngine, options: SandboxOptions = {}): Promise<Sandbox> {
  const imageDigest = await buildImage(engine.docker, options.onProgress ?? (() => undefined));
  const slots = Math.max(1, options.processes ?? availableParallelism());
  const host = await createContainerHost(engine);
  const pool = createZygotePool(host, slots, options.silenceMs);
  const judges = createZygotePool(await createContainerHost(engine), 1, options.silenceMs);
  const quality = createQualityPool(await createContainerHost(engine, 'quality.py'), slots);
  const run: Sandbox['run'] = (program, limits, signal) => {
    checkMemory(limits);
    return pool.run(program, limits, signal);
  };
  const { time, ...timing } = createTimingLane(host, slots, (work) =>
    pool.quiet((closing) => judges.quiet(() => quality.quiet(() => work(closing)))),
  );
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), judges.close(), quality.close()]);
    await timing.close();
  };
  const { run: runApart } = judges;
  const { measure } = quality;
  return { tier: 'container', engine: engine.name, imageDigest, concurrency: slots, run, runApart, time, measure, close };
}

function checkMemory({ memoryBytes }: Limits): void {
  const most = slotMemoryBytes - reservedBytes;
  if (memoryBytes > most) throw new RangeError(`a program may add at most ${most} bytes in this sandbox, limits allow ${memoryBytes}`);
}
