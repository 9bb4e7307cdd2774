/** One stage of a check or test run: a command with its output, and a line for the final table. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.ts';

export type StageResult = 'passed' | 'failed' | 'not run';

export interface StageEnd {
  readonly name: string;
  readonly result: StageResult;
  readonly seconds: number;
  /** Why it did not run, or what it skipped. */
  readonly notes: readonly string[];
}

export interface Stage {
  readonly name: string;
  run(): Promise<Omit<StageEnd, 'name' | 'seconds'>>;
}

export async function runStage(stage: Stage): Promise<StageEnd> {
  console.log(`\n== ${stage.name}`);
  const startMs = performance.now();
  const end = await stage.run();
  return { name: stage.name, seconds: (performance.now() - startMs) / 1_000, ...end };
}

/** A stage that runs a tool from node_modules and passes with exit status 0. */
export function toolStage(name: string, tool: string, args: readonly string[]): Stage {
  return { name, run: async () => ({ result: (await succeeds(tool, args)) ? 'passed' : 'failed', notes: [] }) };
}

export function succeeds(tool: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules', '.bin', tool), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
