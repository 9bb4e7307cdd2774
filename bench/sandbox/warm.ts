/** Whether the first programs of a sandbox are as fast as later ones: every thousand of a new sandbox, by itself. */
import { openSandbox } from '../../activities/sandboxes/index.ts';
import type { SandboxTier } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import { loadText, median } from '../machine.ts';
import { ours } from './ours.ts';

const thousands = 5;
const wanted = 0.9;

/**
 * `tasks`: those whose references are light.
 * A new sandbox for each round, whose slots start before the first program.
 */
export async function fromTheFirst(
  tier: SandboxTier,
  tasks: readonly Task[],
  rounds: number,
  print: (line: string) => void,
): Promise<void> {
  print(`\nisolated lane, each 1,000 programs of a new sandbox: references of ${tasks.length} tasks, base suites`);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const rates = await ratesOf(tier, tasks, round);
    const [first = Number.NaN, ...later] = rates;
    ratios.push(first / median(later));
    print(`  round ${round + 1}: ${rates.map((rate) => rate.toFixed(0)).join(', ')} a second; ${loadText()}`);
  }
  const ratio = median(ratios);
  print(
    `  => the first 1,000 are ${ratio.toFixed(2)} x as fast as later ones ` +
      `[${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}]: ` +
      `${ratio >= wanted ? 'met' : 'MISSED'} (wanted: at least ${wanted})`,
  );
}

async function ratesOf(tier: SandboxTier, tasks: readonly Task[], round: number): Promise<number[]> {
  const box = await openSandbox(tier);
  try {
    const { measure } = await ours('warm', box, tasks, { copies: 1, suites: ['base'] });
    await Promise.all(Array.from({ length: box.concurrency }, () => box.run(starting, limits)));
    const rates: number[] = [];
    const sets = Math.ceil(1000 / tasks.length);
    for (let thousand = 0; thousand < thousands; thousand++) {
      const times: number[] = [];
      for (let set = 0; set < sets; set++)
        times.push(tasks.length / (await measure((round * 10 + thousand) * 100 + set)));
      rates.push((sets * tasks.length) / times.reduce((sum, seconds) => sum + seconds, 0));
    }
    return rates;
  } finally {
    await box.close();
  }
}

const starting = { source: 'def f():\n    pass\n', entryPoint: 'f', inputs: ['[]'] };
const limits = { caseTimeoutMs: 1000, memoryBytes: 2 ** 29, outputBytes: 2 ** 20 };
