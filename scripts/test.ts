/**
 * Runs the checks and tests stage by stage, with a final table: scripts/test.ts [check|full].
 * Exits with 1 if a stage failed. With `EVENKEEL_SECOND_TRY=1` files that failed run once more.
 */
import { chromiumStage } from './chromium-stage.ts';
import { storesStage } from './cluster/stores-stage.ts';
import { engineStage, requiredParts, temporalStage } from './parts.ts';
import { runStage, type Stage, type StageEnd, toolStage } from './stage.ts';
import { vitestStage } from './vitest-stage.ts';

const checks: readonly Stage[] = [
  toolStage('types', 'tsc', ['--noEmit']),
  toolStage('format and lint', 'biome', ['check', '--error-on-warnings']),
  toolStage('promises and import boundaries', 'oxlint', ['--type-aware', '--deny-warnings']),
  toolStage('dead code', 'knip', ['--no-progress', '--no-config-hints']),
];

/** A project, with a second try where that is wanted. */
const tests = (project: string): Stage =>
  vitestStage(project, { secondTry: process.env['EVENKEEL_SECOND_TRY'] === '1' });

/** With the tests that are left out otherwise: test/support/forms/long.ts. */
const withLong = (): Promise<StageEnd[]> => {
  process.env['EVENKEEL_TESTS'] = 'full';
  return runTests(['soak']);
};

/** Leaves out whole files, too: test/support/forms/long-files.ts. */
const withoutLong = (): Promise<StageEnd[]> => {
  process.env['EVENKEEL_TESTS'] = 'short';
  return runTests([]);
};

const selections = { check: () => runAll(checks), tests: withoutLong, full: withLong };

const name = process.argv[2] ?? 'tests';
if (!(name in selections))
  throw new Error(`the argument must be one of ${Object.keys(selections).join(', ')}; got '${name}'`);
const ends = await selections[name as keyof typeof selections]();
console.log(table(ends));
process.exitCode = ends.some((end) => end.result === 'failed') ? 1 : 0;

async function runTests(further: readonly string[]): Promise<StageEnd[]> {
  const required = requiredParts(process.env);
  const engine = engineStage(required, process.env);
  const stores = storesStage(required, process.env);
  try {
    const alone = await runAll([
      ...checks,
      tests('unit'),
      chromiumStage(required.has('chromium')),
      tests('browser'),
      engine.stage,
      tests('sandbox'),
      stores,
      tests('stores'),
    ]);
    const temporal = await runStage(temporalStage(required));
    const projects = ['integration', 'e2e', ...further].map(tests);
    return [...alone, temporal, ...(temporal.result === 'passed' ? await runAll(projects) : projects.map(notRun))];
  } finally {
    await engine.stop();
  }
}

const notRun = ({ name }: Stage): StageEnd => ({
  name,
  result: 'not run',
  seconds: 0,
  notes: ['needs the Temporal server'],
});

async function runAll(stages: readonly Stage[]): Promise<StageEnd[]> {
  const ends: StageEnd[] = [];
  for (const stage of stages) ends.push(await runStage(stage));
  return ends;
}

function table(ends: readonly StageEnd[]): string {
  const width = Math.max(...ends.map((end) => end.name.length));
  const rows = ends.flatMap((end) => [
    `${end.name.padEnd(width)}  ${end.result.padEnd(7)}  ${end.seconds.toFixed(1).padStart(6)} s`,
    ...end.notes.map((note) => note.replace(/^/gm, '    ')),
  ]);
  return `\n${rows.join('\n')}`;
}
