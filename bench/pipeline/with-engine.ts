import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEngine } from './sweep.ts';

/** Runs `work` in a temporary folder, which is removed afterwards. */
export async function withEngine<T>(
  profiles: string | null,
  work: (engine: Engine, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  try {
    const engine = await openEngine(join(folder, 'runs'), profiles);
    try {
      return await work(engine, folder);
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
