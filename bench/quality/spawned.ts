/**
 * Pylint spawned for each program, in a container of the sandbox's image: the standard for the messages and the speed
 * of the resident service.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { attachStreams } from '../../activities/sandboxes/container/container-attach.ts';
import type { ContainerEngine } from '../../activities/sandboxes/container/container-engine.ts';
import { imageTag } from '../../activities/sandboxes/container/container-image.ts';
import { ownerLabels } from '../../activities/sandboxes/container/container-owner.ts';

const spawnedMessage = z.object({
  type: z.string(),
  obj: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int().nullable(),
  endColumn: z.int().nullable(),
  symbol: z.string(),
  message: z.string(),
  'message-id': z.string(),
});
const answers = z.array(z.tuple([z.array(spawnedMessage).nullable(), z.number()]));

export type SpawnedMessage = z.infer<typeof spawnedMessage>;
export interface SpawnedPylint {
  /** Runs the programs one after another; null for each without JSON output. */
  measure(texts: readonly string[]): Promise<{ messages: SpawnedMessage[] | null; ms: number }[]>;
  stop(): Promise<void>;
}

/** The image must be built. */
export async function startSpawnedPylint({ docker }: ContainerEngine): Promise<SpawnedPylint> {
  const container = await docker.createContainer({
    Image: imageTag(),
    Entrypoint: ['/usr/bin/python3', '-s', '-B', '-c', readFileSync(new URL('spawned.py', import.meta.url), 'utf8')],
    Env: ['PYTHONHASHSEED=0', 'PYTHONDONTWRITEBYTECODE=1', 'PYTHONPATH=/opt/pylint', 'HOME=/tmp', 'LANG=C.UTF-8'],
    User: '60999:60999',
    Labels: ownerLabels(),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      AutoRemove: true,
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': 'rw,size=16m,mode=1777' },
    },
  });
  const streams = await attachStreams(container);
  const output = new PassThrough();
  streams.listen((chunk) => void output.write(chunk));
  void streams.closed.then(() => output.end());
  const lines = createInterface({ input: output });
  await container.start();
  return {
    measure: async (texts) => {
      const heard = once(lines, 'line');
      streams.input.write(`${JSON.stringify({ sources: texts })}\n`);
      const [line] = (await Promise.race([heard, streams.closed.then(() => [null])])) as [string | null];
      if (line === null) throw new Error(`the container that spawns Pylint ended: ${streams.complaint()}`);
      return answers.parse(JSON.parse(line)).map(([messages, ms]) => ({ messages, ms }));
    },
    stop: () => container.remove({ force: true }).then(() => undefined),
  };
}
