/** A run on servers, from one home to another: nothing is shared but PostgreSQL, the bucket and Temporal. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { s3Blobs } from '../../../../activities/storage/s3/s3-blobs.ts';
import { starterBenchmark } from '../../../../cli/starter.ts';
import { runCommand, startCommand } from '../../../support/command.ts';
import { until } from '../../../support/deployment.ts';
import { done, killAll, newMachine } from '../../../support/hosts/machine.ts';
import { stableRows } from '../../../support/stable-rows.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { openCatalog } from '../catalog-address.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

const spec = `name: apart
models:
  - { id: steady, provider: simulated, profile: { competence: 0.8, driftPerLoop: 0.2 } }
  - { id: shaky, provider: simulated, profile: { competence: 0.5, driftPerLoop: 0.4 } }
benchmarks:
  b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 8 } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 3, judge: none } }
  - { name: plain, kind: pass, benchmark: b, settings: { samples: 4 } }
`;

onPostgres('a run on PostgreSQL', () => {
  onObjects('and S3', () => {
    // Red if parts are registered before the bucket has them, or if a reader does not fetch them.
    test('is begun on one machine, killed, continued on a second, and read on a third', async () => {
      const folder = temporaryFolder();
      const [file, runsDir] = [join(folder, 'apart.yaml'), join(folder, 'runs')];
      writeFileSync(file, spec);
      const temporal = startCommand(['server', '--runs-dir', runsDir]);
      onTestFinished(async () => {
        temporal.process.kill('SIGTERM');
        await temporal.ended;
      });
      await until(() => temporal.stdout().includes('Temporal serves'), temporal);
      await done(runCommand(['run', file, '--runs-dir', runsDir]));
      const [store, [, address]] = [
        await newPostgresStore('ek_worker'),
        /serves ([^,]+)/.exec(temporal.stdout()) ?? [],
      ];
      const servers = { EVENKEEL_STORE: store, EVENKEEL_BLOBS: newObjects(), TEMPORAL_ADDRESS: address };
      const database = openPostgres(store);
      onTestFinished(() => database.close());

      const first = newMachine(servers);
      const begun = first.start('run', file);
      const answered = async (): Promise<number> => {
        const [row] = await database.query<{ readonly answered: string }>('select answered from run_total');
        return Number(row?.answered ?? 0);
      };
      while ((await answered()) < 20 && begun.isRunning()) await sleep(20);
      expect(begun.isRunning(), begun.output()).toBe(true);
      killAll(begun);
      await begun.ended;

      await done(newMachine(servers).evenkeel('resume', 'apart'));

      const third = newMachine(servers);
      expect((await done(third.evenkeel('status', 'apart'))).stdout).toContain('apart: complete');
      expect((await done(third.evenkeel('verify', 'apart'))).stdout).toContain('run "apart" is intact');
      const report = join(third.folder, 'report.html');
      await done(third.evenkeel('report', 'apart', '--out', report));
      expect(readFileSync(report, 'utf8')).toContain('shaky');
      const watching = third.start('watch', 'apart', '--port', '0');
      onTestFinished(() => void watching.process.kill('SIGTERM'));
      await until(() => watching.stdout().includes(' shows apart'), watching);
      const [page = ''] = /http:\S+/.exec(watching.stdout()) ?? [];
      let served = '';
      for (let tries = 0; tries < 60 && !served.includes('shaky'); tries += 1) {
        await (await fetch(`${page}run/apart/`)).text();
        await sleep(250);
        served = await (await fetch(`${page}run/apart/report`)).text();
      }
      expect(served).toContain('shaky');
      const asked = await done(third.evenkeel('query', 'apart', 'select count(*) as n from samples', '--json'));
      const truth = await stableRows(join(runsDir, 'apart'));
      expect(JSON.parse(asked.stdout)).toMatchObject({ rows: [[truth['samples']?.length]] });
      const catalog = openCatalog(JSON.stringify({ store, blobs: servers.EVENKEEL_BLOBS, cache: temporaryFolder() }));
      expect(await stableRows(await (await catalog.find('apart')).home.tables())).toEqual(truth);
      const archive = join(third.folder, 'apart.tar.gz');
      await done(third.evenkeel('archive', 'apart', '--out', archive));
      execFileSync('tar', ['xzf', archive, '-C', third.folder]);
      expect(await stableRows(join(third.folder, 'apart'))).toEqual(truth);

      // Red where a schedule belongs to a folder of one host, or its commands name one.
      const policy = join(third.folder, 'work', 'policy.yaml');
      writeFileSync(policy, 'rules: [{ metric: pass_at_1, margin: 5 }]\n');
      const fourth = newMachine(servers);
      const order = ['--spec', file, '--policy', policy, '--against', 'apart', '--cron', '17 3 * * *'];
      await done(fourth.evenkeel('schedule', 'create', 'nightly', ...order));
      const serving = third.start('schedule', 'serve', '--specs', '/');
      onTestFinished(() => void serving.process.kill('SIGTERM'));
      await done(fourth.evenkeel('schedule', 'trigger', 'nightly'));
      const gates = (): string[] => globSync('.cache/evenkeel/stores/*/nightly-*/gate.md', { cwd: third.folder });
      await until(() => gates().length === 1, serving);
      expect(readFileSync(join(third.folder, gates()[0] ?? ''), 'utf8')).toContain('# Gate: ');
      expect((await done(fourth.evenkeel('status'))).stdout).toMatch(/nightly-\S+ .*complete/);

      // Red while rows of some table stay.
      await done(fourth.evenkeel('gc', 'apart', 'nightly-*', '--yes'));
      expect((await fourth.evenkeel('status', 'apart')).output).toContain('no run "apart"');
      const ofRuns = await database.query<{ readonly name: string; readonly found: string }>(
        `select relname as name, (xpath('/row/n/text()',
           query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text as found
         from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
      );
      const left = ofRuns.filter(({ found }) => found !== '0').map(({ name }) => name);
      expect(
        left.filter((name) => !['migration', 'store', 'commit_slot'].includes(name) && !name.startsWith('account')),
      ).toEqual([]);
      expect(await s3Blobs(servers.EVENKEEL_BLOBS).list('runs/')).toEqual([]);
    }, 300_000);
  });
});
