/**
 * Inspect AI and promptfoo next to evenkeel, in rounds that take turns. Each answers its samples by its own mock model
 * in one process; the start of a process does not count, for none of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { since, usageOf } from '../pipeline/process-usage.ts';
import type { Engine } from '../pipeline/sweep.ts';
import { withEngine } from '../pipeline/with-engine.ts';
import { type Workload, workloadOf, writeTasks } from '../pipeline/workload.ts';
import { installNodePeer, installPeer, type PeerProcess, startNodePeer, startPeer } from '../sandbox/peer.ts';
import { type Contender, takeTurns } from '../sandbox/turns.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';

type Print = (line: string) => void;

const inspectVersion = '0.3.285';
const promptfooVersion = '0.123.1';
const warmUpSamples = 200;
const ourName = 'evenkeel';
const inspectName = `Inspect ${inspectVersion}`;
const promptfooName = `promptfoo ${promptfooVersion}`;
const wanted = [
  { of: ourName, by: [inspectName], atLeast: 30 },
  { of: ourName, by: [promptfooName], atLeast: 10 },
];

export async function peers(samples: number, rounds: number, print: Print): Promise<void> {
  const folder = join(cacheFolder(process.env), 'bench');
  const scratch = mkdtempSync(join(tmpdir(), 'evenkeel-peers-'));
  const inspect = await startPeer(
    installPeer(folder, 'inspect_ai', inspectVersion, print),
    driver('inspect_driver.py'),
    { INSPECT_LOG_DIR: scratch },
  );
  const promptfoo = await startNodePeer(
    installNodePeer(folder, 'promptfoo', promptfooVersion, print),
    driver('promptfoo-driver.mjs'),
    { PROMPTFOO_CONFIG_DIR: scratch, PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1' },
  );
  const others = [contender(inspectName, inspect, samples, print), contender(promptfooName, promptfoo, samples, print)];
  try {
    await withEngine(null, async (engine, home) => {
      const workload = workloadOf(samples);
      writeTasks(home, workload.tasks);
      // New processes compile their code first.
      await engine.sweep(workload, home, null);
      for (const peer of [inspect, promptfoo]) await peer.ask({ samples: warmUpSamples });
      const title = `evenkeel, Inspect and promptfoo: ${samples} samples each, their own mock models, samples a second`;
      await takeTurns(title, [ours(engine, workload, home, print), ...others], wanted, rounds, print);
    });
  } finally {
    inspect.close();
    promptfoo.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const driver = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const printCpu = (print: Print, name: string, cpuS: number, samples: number): void =>
  print(`    ${name}: ${((1000 * cpuS) / samples).toFixed(2)} ms of processor time a sample`);

const ours = (engine: Engine, workload: Workload, home: string, print: Print): Contender => ({
  name: ourName,
  measure: async () => {
    const { samples, seconds, processes } = await engine.sweep(workload, home, null);
    printCpu(
      print,
      ourName,
      processes.reduce((sum, { cpuS }) => sum + cpuS, 0),
      samples,
    );
    return samples / seconds;
  },
});

const contender = (name: string, peer: PeerProcess, samples: number, print: Print): Contender => ({
  name,
  measure: async () => {
    const before = usageOf(name, peer.pid);
    const { seconds, done } = (await peer.ask({ samples })) as { seconds: number; done: number };
    if (done !== samples) throw new Error(`${name} finished ${done} of ${samples} samples`);
    printCpu(print, name, since(before, usageOf(name, peer.pid)).cpuS, samples);
    return samples / seconds;
  },
});
