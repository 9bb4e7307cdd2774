/** Times of references for `plan`, which runs nothing, and for `run`, which measures what studies with `maxReferenceMs` need. */
import { join } from 'node:path';
import type { TimesOf } from '../activities/left-out.ts';
import { createReferenceCache } from '../activities/reference-cache.ts';
import { knownReferenceTimes, measuredReferenceTimes } from '../activities/reference-times.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import type { Terminal } from './terminal.ts';

const machineCache = () => createReferenceCache(join(cacheFolder(process.env), 'references'));

export const knownTimes =
  (sandbox: { readonly imageDigest: string }): TimesOf =>
  (tasks) =>
    knownReferenceTimes(machineCache(), sandbox, tasks);

export const measuredTimes =
  (terminal: Terminal): TimesOf =>
  async (tasks) => {
    const box = await openSandbox('auto');
    let done = 0;
    const onTask = (): void => {
      done += 1;
      terminal.progress(`measuring references for maxReferenceMs: ${done} of ${tasks.length} tasks`);
    };
    try {
      return await measuredReferenceTimes({ box, cache: machineCache() }, tasks, onTask);
    } finally {
      await box.close();
    }
  };
