/**
 * Sweeps of every other kind of study under drawn kills: EVENKEEL_SOAK_ROUNDS of each (default: 5).
 * EVALOOP's are in kills.test.ts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { engineEnvironment, engineNote, withoutEngine } from '../sandbox/container/engine.ts';
import { drawKills } from '../support/kills/kill-draws.ts';
import { type KillRounds, openKillRounds, quickHeartbeats } from '../support/kills/kill-rounds.ts';
import type { Subject } from '../support/kills/kill-study.ts';
import { hasProcessTable } from '../support/processes.ts';
import type { SimulatedBenchmark } from '../support/endpoints/simulated-endpoint.ts';

const roundCount = Number(process.env['EVENKEEL_SOAK_ROUNDS'] ?? 5);
const sample = join(
  process.env['EVENKEEL_BENCHMARK_FILES'] ?? join(import.meta.dirname, '../../../shared/data'),
  'mxeval-sample',
);

const models = ['{ id: steady, provider: sim }', '{ id: drifting, provider: sim }'];
const starter = (limit: number, studies: string): string =>
  `benchmarks:\n  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: ` +
  `{ limit: ${limit} } }\nstudies:\n${studies}`;

const kinds: Readonly<Record<string, Subject>> = {
  promptse: {
    models,
    content: starter(
      4,
      '  - { name: moods, kind: promptse, benchmark: starter, repetitions: 2, settings: { variants: 3, samples: ' +
        '3, rewriter: rules } }\n',
    ),
  },
  robunfr: {
    models,
    content: starter(
      5,
      [
        '  - name: update',
        '    kind: robunfr-regression',
        '    benchmark: starter',
        '    repetitions: 2',
        '    settings:',
        '      pairs: [[steady, drifting]]',
        '      dimensions: [{ name: security, phrasings: [Guard against hostile input, Trust nobody] }]',
        '  - name: ways',
        '    kind: robunfr-workflows',
        '    benchmark: starter',
        '    models: [steady]',
        '    repetitions: 2',
        '    settings: { dimensions: [{ name: readability, phrasings: ' +
          '[Make the code easy to read, Use clear names] }] }',
        '',
      ].join('\n'),
    ),
  },
  specificity: {
    models,
    content: starter(
      5,
      '  - { name: detail, kind: specificity, benchmark: starter, settings: { writer: rules, summarizer: rules, ' +
        'wordLimits: [10, 50], draws: 2 } }\n',
    ),
  },
  pass: {
    models,
    content: starter(
      5,
      '  - { name: plain, kind: pass, benchmark: starter, repetitions: 2, settings: { samples: 4, temperatures: ' +
        '[0.2, 0.8] } }\n',
    ),
  },
};

const numbers = [2, 3, 4, 6, 7, 8, 9, 11, 12, 14].map((number) => `MBPP/${number}`).join(', ');
const benchmarkEntry = (name: string): string =>
  `  ${name}: { format: mxeval, path: ${join(sample, name)}.jsonl, tasks: { ids: [${numbers}] } }`;
const chain: Subject = {
  models,
  content: `benchmarks:
${['python', 'perl', 'ruby'].map(benchmarkEntry).join('\n')}
studies:
  - { name: chain, kind: evaloop-translation, benchmark: python, settings: { through: [perl, ruby, python] } }
`,
};

function survivors(subject: Subject, env: NodeJS.ProcessEnv, benchmark?: SimulatedBenchmark): void {
  let rounds: KillRounds;
  beforeAll(async () => {
    rounds = await openKillRounds(subject, benchmark, env);
  });
  afterAll(() => rounds?.close());

  test.each(Array.from({ length: roundCount }, (_, round) => [`${round + 1}`]))('round %s of drawn kills', (round) =>
    rounds.survives(`round${round}`, { ...quickHeartbeats, ...env }, drawKills(rounds.random)),
  );
}

describe.skipIf(!hasProcessTable)(
  `a sweep survives${hasProcessTable ? '' : ' (skipped: needs /proc to find the processes to kill)'}`,
  () => {
    describe.each(Object.entries(kinds))('%s', (_kind, subject) => survivors(subject, {}));

    const without = existsSync(sample) ? engineNote : ` (skipped: ${sample} is not here)`;
    describe.skipIf(withoutEngine || without !== engineNote)(`a chain of translations${without}`, () =>
      survivors(chain, engineEnvironment(), { format: 'mxeval', path: join(sample, 'python.jsonl') }),
    );
  },
);
