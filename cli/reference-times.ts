/**
 * Run times of reference solutions: `plan` runs nothing and uses known times, `run` measures those that studies with
 * `maxReferenceMs` need.
 */
import { join } from 'node:path';
import type { TimesOf } from '../activities/runs/left-out.ts';
import { createReferenceCache } from '../activities/judging/reference-cache.ts';
import { knownReferenceTimes, measuredReferenceTimes } from '../activities/judging/reference-times.ts';
import type { SandboxIdentity } from '../activities/judging/execution-key.ts';
import { openPlannedSandbox } from '../activities/judging/planned-sandbox.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import type { Terminal } from './output/terminal.ts';

const machineCache = () => createReferenceCache(join(cacheFolder(process.env), 'references'));

export const knownTimes =
  (sandbox: { readonly imageDigest: string }): TimesOf =>
  (tasks) =>
    knownReferenceTimes(machineCache(), sandbox, tasks);

export const measuredTimes =
  (terminal: Terminal, sandbox: SandboxIdentity): TimesOf =>
  async (tasks) => {
    const box = await openPlannedSandbox(sandbox);
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
