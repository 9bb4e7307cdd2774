/**
 * All kinds of study in one run, under SIGKILLs and SIGSTOPs of everything that takes part: command, workers, Temporal
 * server, sandbox slots and endpoint, alone and together. EVENKEEL_STRANGER_KILLS of them (default: 100), ten a sweep;
 * EVENKEEL_KILL_SEED repeats a session.
 */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterBenchmark } from '../../cli/starter.ts';
import { drawStrangersKills } from '../support/kills/kill-draws.ts';
import { type KillRounds, openKillRounds, quickHeartbeats } from '../support/kills/kill-rounds.ts';
import { ledgerNumber } from '../support/ledger-look.ts';
import { runFolder, type Subject } from '../support/kills/kill-study.ts';
import { hasProcessTable } from '../support/processes.ts';

const killsEach = 10;
const sweeps = Math.ceil(Number(process.env['EVENKEEL_STRANGER_KILLS'] ?? 100) / killsEach);

const everyKind: Subject = {
  models: [
    '{ id: steady, provider: sim }',
    '{ id: drifting, provider: sim }',
    '{ id: judge, provider: sim, study: false }',
  ],
  content: `benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 6 } }
studies:
  - { name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 3, judge: judge } }
  - { name: moods, kind: promptse, benchmark: starter, settings: { variants: 2, samples: 3, rewriter: rules } }
  - name: update
    kind: robunfr-regression
    benchmark: starter
    settings: { pairs: [[steady, drifting]],
                dimensions: [{ name: security, phrasings: [Guard against hostile input, Trust nobody] }] }
  - name: ways
    kind: robunfr-workflows
    benchmark: starter
    models: [steady]
    settings: { dimensions: [{ name: readability, phrasings: [Make the code easy to read, Use clear names] }] }
  - { name: detail, kind: specificity, benchmark: starter,
      settings: { writer: rules, summarizer: rules, wordLimits: [10, 50], draws: 2 } }
`,
};

const skipNote = hasProcessTable ? '' : ' (skipped: needs /proc to find the processes to kill)';
describe.skipIf(!hasProcessTable)(`a run of every kind of study survives a stranger${skipNote}`, () => {
  let rounds: KillRounds;
  beforeAll(async () => {
    rounds = await openKillRounds(everyKind, 'mortal');
  }, 600_000);
  afterAll(() => rounds?.close());

  test.each(Array.from({ length: sweeps }, (_, sweep) => [sweep + 1]))(
    `sweep %s of ${sweeps}, ${killsEach} kills`,
    { timeout: 1_200_000 },
    async (sweep) => {
      const name = `sweep${sweep}`;
      const env = { ...quickHeartbeats };
      await rounds.survives(name, env, drawStrangersKills(killsEach, rounds.random));
      const folder = runFolder(rounds.newStudy(name, env));
      expect(openOrLeft(folder)).toEqual([]);
      expectTotals(folder);
    },
  );
});

/** Temporary files and locks that a finished run has no use for. */
const openOrLeft = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tmp$|\.part$|-journal$/.test(path));

const sums: Readonly<Record<string, string>> = {
  answered: "select count(*) from intent where state = 'answered'",
  lost: "select count(*) from intent where state = 'lost'",
  failed: "select count(*) from intent where state = 'failed'",
  live: "select count(*) from intent where state = 'open'",
  spent_tokens: 'select coalesce(sum(tokens), 0) from charge',
  reserved_tokens: 'select 0',
  reserved_nano_usd: 'select 0',
  verdicts: 'select count(*) from verdict',
};

/** What the ledger says of the whole is what its rows say one by one. */
function expectTotals(folder: string): void {
  const said = Object.keys(sums).map((column) => [column, ledgerNumber(folder, `select ${column} from run`)]);
  expect(said).toEqual(Object.entries(sums).map(([column, sql]) => [column, ledgerNumber(folder, sql)]));
}
