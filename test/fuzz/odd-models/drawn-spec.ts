/** Specs of small studies of every kind that needs Python alone, on odd models, drawn from a seed. */
import { seedOf, uniform } from '../../../domain/random.ts';
import { shuffled } from '../../../simulator/shuffled.ts';
import { rightCode, type TinyTask } from '../../support/tiny-tasks.ts';
import { type Behaviour, behaviours, type OddModel, oddTasks } from './odd-endpoint.ts';

type Random = () => number;
const below = (random: Random, most: number): number => Math.floor(random() * most);
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)] as Item;

export interface DrawnSpec {
  readonly models: readonly OddModel[];
  /** Texts by name. */
  readonly benchmarks: Readonly<Record<string, string>>;
  /** JSON, which is YAML. */
  text(name: string, port: number): string;
}

export function drawnSpec(seed: number): DrawnSpec {
  const random = uniform(seedOf('odd models', seed));
  const models = Array.from({ length: 10 }, (_, index) => drawnModel(`m${index}`, seed, random));
  const studies = Array.from({ length: 20 }, (_, index) => drawnStudy(`s${index}`, models, random));
  const priced = models.map(({ id }) => {
    const price = { inputUsdPerMillion: oneOf(random, [0, 2]), outputUsdPerMillion: 8 };
    return { id, provider: 'odd', price };
  });
  const sizes = oddTasks.map((_, index) => index + 1);
  return {
    models,
    benchmarks: Object.fromEntries(sizes.map((size) => [`odd${size}.jsonl`, benchmarkOf(size, random)])),
    text: (name, port) => {
      const odd = { kind: 'openai', baseUrl: `http://127.0.0.1:${port}/v1`, limits: { concurrency: 16 } };
      const benchmarks = sizes.map((size) => [`odd${size}`, { format: 'evenkeel', path: `odd${size}.jsonl` }]);
      const base = { name, seed, providers: { odd }, models: priced, benchmarks: Object.fromEntries(benchmarks) };
      return JSON.stringify({ ...base, studies });
    },
  };
}

/** Most of them pass sometimes. */
function drawnModel(id: string, seed: number, random: Random): OddModel {
  const order = shuffled(behaviours, random);
  const [first = 'pass', ...others] = random() < 0.7 ? new Set<Behaviour>(['pass', ...order]) : order;
  const shares: Partial<Record<Behaviour, number>> = {};
  let left = 100;
  for (const behaviour of others.slice(0, oneOf(random, [0, 1, 1, 2, 6]))) {
    shares[behaviour] = below(random, left);
    left -= shares[behaviour];
  }
  shares[first] = left;
  const chosen = { seed: seed + below(random, 2), mirrored: random() < 0.5, fixed: oneOf(random, [0, 0.6, 1, 1]) };
  const logprobs = oneOf(random, ['always', 'never', 'sometimes'] as const);
  return { id, ...chosen, shares, logprobs };
}

const dimensions = [
  { name: 'reliability', phrasings: ['Handle all errors', 'Fail early'] },
  { name: 'speed', phrasings: ['Be fast'] },
];

/** Settings of each kind, for these models. */
const kinds: Readonly<Record<string, (random: Random, models: readonly string[]) => object>> = {
  pass: (random) => ({ samples: 1 + below(random, 3), ks: [1], temperatures: [0.7] }),
  evaloop: (random, models) => ({
    maxLoops: 1 + below(random, 3),
    judge: oneOf(random, ['none', oneOf(random, models)]),
    ...(random() < 0.4 && { sampledRuns: 1 }),
    ...(random() < 0.3 && { attacks: ['case'] }),
  }),
  promptse: (random) => ({
    variants: 1 + below(random, 2),
    samples: 1 + below(random, 2),
    logprobs: random() < 0.5,
  }),
  specificity: () => ({ wordLimits: [10], draws: 1, ratios: [0.5], maskRatios: [0.5] }),
  'robunfr-prompts': (random) => ({ dimensions: dimensions.slice(0, 1 + below(random, 2)) }),
  'robunfr-workflows': (random) => ({ dimensions: dimensions.slice(0, 1 + below(random, 2)) }),
  'robunfr-regression': (random, [first, ...others]) => ({
    dimensions: dimensions.slice(0, 1 + below(random, 2)),
    pairs: others.map((other) => [first, other]),
  }),
};

function drawnStudy(name: string, models: readonly OddModel[], random: Random) {
  const kind = oneOf(random, Object.keys(kinds));
  const isOfPairs = kind === 'robunfr-regression';
  const asked = shuffled(models, random)
    .slice(0, oneOf(random, isOfPairs ? [2, 3, 4] : [1, 2, 2, 3, 4]))
    .map(({ id }) => id);
  const benchmark = `odd${1 + below(random, oddTasks.length)}`;
  const repetitions = kind === 'specificity' ? 1 : oneOf(random, [1, 1, 2]);
  const settings = kinds[kind]?.(random, asked);
  return { name, kind, benchmark, repetitions, settings, ...(!isOfPairs && { models: asked }) };
}

const benchmarkOf = (size: number, random: Random): string =>
  oddTasks
    .slice(0, size)
    .map((task) => `${JSON.stringify(recordOf(task, random() < 0.8))}\n`)
    .join('');

const recordOf = (task: TinyTask, hasPlus: boolean) => ({
  task_id: task.id,
  prompt:
    `"""\nWrite a function that works on one whole number. Add ${task.addend} to the given number. The result is ` +
    `again a whole number. Negative numbers are treated in the same way.\n` +
    `assert ${task.entryPoint}(3) == ${3 + task.addend}\n"""\n`,
  entry_point: task.entryPoint,
  reference: rightCode(task),
  suites: {
    base: { inputs: [[3], [0]], expected: [3 + task.addend, task.addend] },
    ...(hasPlus && { plus: { inputs: [[-4], [7]], expected: [task.addend - 4, task.addend + 7] } }),
  },
});
