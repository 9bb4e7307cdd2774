/** The spec of a run that grows: plain pass@k of eight models. */
import type { SpecFile } from '../../activities/runs/plan-inputs.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';

const models = 8;
const repetitions = 10;
/** Few, so that there are many pages and files. */
export const samplesPerCell = 4;

/** The smallest run of at least this many samples, with the number of its tasks. */
export function growthSpec(samples: number): { readonly tasks: number; spec(folder: string): SpecFile } {
  const tasks = Math.ceil(samples / (models * repetitions * samplesPerCell));
  return { tasks, spec: specIn };
}

function specIn(folder: string): SpecFile {
  const text = JSON.stringify({
    name: 'growth',
    models: Array.from({ length: models }, (_, place) => ({ id: `org/model-${place}`, provider: 'simulated' })),
    benchmarks: { bench: { format: 'evenkeel', path: 'tasks.jsonl' } },
    studies: [{ name: 'plain', kind: 'pass', benchmark: 'bench', repetitions, settings: { samples: samplesPerCell } }],
  });
  return { spec: parseSpec(text, 'growth.json'), text, folder };
}
