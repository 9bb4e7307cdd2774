/** Judges single programs in this process, outside a run. */
import { availableParallelism } from 'node:os';
import { openExecutionCache } from '../../../activities/judging/execution-cache.ts';
import type { SandboxIdentity } from '../../../activities/judging/execution-key.ts';
import { createJudgeProgram, type JudgeProgram } from '../../../activities/judging/judge-program.ts';
import { openPlannedSandbox } from '../../../activities/judging/planned-sandbox.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { executionCacheFile } from '../../../workers/config.ts';

export interface OpenJudge {
  readonly judge: JudgeProgram;
  /** Whether this machine knows the verdict from an earlier run, by execution key. */
  isKnown(executionKey: string): boolean;
  close(): Promise<void>;
}

/** The sandbox that a run was planned for is opened for the first program. */
export function openJudge(planned: SandboxIdentity, onLine: (line: string) => void): OpenJudge {
  let box: Promise<Sandbox> | undefined;
  const sandbox = (): Promise<Sandbox> => {
    box ??= openPlannedSandbox(planned);
    return box;
  };
  const cache = openExecutionCache(executionCacheFile(process.env), onLine);
  return {
    judge: createJudgeProgram(sandbox, cache, availableParallelism()),
    isKnown: (executionKey) => cache.get(executionKey) !== undefined,
    close: async () => {
      cache.close();
      await (await box?.catch(() => undefined))?.close();
    },
  };
}
