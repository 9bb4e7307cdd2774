import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trimModules } from '../../../workers/temporal/trim-modules.ts';
import { temporalModules } from '../../support/temporal-modules.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const instead = join(import.meta.dirname, '../../../data/temporal-cli/instead');
const providers = 'auto-scaled-workers/wci/workflow/compute_provider';
const archives = 'server/common/archiver';
const databases = 'server/common/persistence/sql/sqlplugin';

/** A `go` that has the modules downloaded, and the folder of a build. */
function machine() {
  const [cache, folder] = [temporaryFolder(), temporaryFolder()];
  const modules = temporalModules(cache);
  const asked: string[] = [];
  const go = (args: readonly string[]): Promise<string> => {
    asked.push(args.join(' '));
    return Promise.resolve(args[0] === 'list' ? modules.map((module) => `${module}\n`).join('') : '');
  };
  return { cache, folder, asked, build: () => trimModules(go, folder, instead) };
}

test('the copies lack clouds and databases except SQLite, and keep the rest unchanged', async () => {
  const { folder, build } = machine();
  await build();
  const left = [
    ...['aws', 'aws_ecs', 'aws_lambda', 'gcp_cloudrun', 'k8s'].map((name) => `${providers}/${name}.go`),
    ...[`${archives}/gcloud/visibility_archiver.go`, `${archives}/s3store/util.go`],
    ...[`${databases}/mysql/plugin.go`, `${databases}/postgresql/driver/pgx.go`],
  ];
  expect(left.filter((file) => existsSync(join(folder, file)))).toEqual([]);
  for (const file of [
    `${providers}/registry.go`,
    `${providers}/subprocess.go`,
    `${archives}/filestore/util.go`,
    `${databases}/sqlite/plugin.go`,
  ])
    expect(readFileSync(join(folder, file), 'utf8'), file).toBe('as published');
  const names = { [`${archives}/gcloud`]: '"gs"', [`${archives}/s3store`]: '"s3"', [`${databases}/mysql`]: '"mysql8"' };
  for (const [place, name] of Object.entries(names))
    expect(readFileSync(join(folder, place, 'left_out.go'), 'utf8')).toContain(name);
});

test('modules are downloaded and checked before they are copied; the copies are used instead', async () => {
  const { asked, build } = machine();
  await build();
  expect(asked).toEqual([
    'mod download -modcacherw go.temporal.io/auto-scaled-workers go.temporal.io/server',
    'list -m -f {{.Dir}} go.temporal.io/auto-scaled-workers go.temporal.io/server',
    'mod edit -replace=go.temporal.io/auto-scaled-workers=./auto-scaled-workers ' +
      '-replace=go.temporal.io/server=./server',
  ]);
});

test('a version with other file names is refused, naming the missing file', async () => {
  const { cache, build } = machine();
  rmSync(join(cache, providers, 'k8s.go'));
  await expect(build()).rejects.toThrow(/compute_provider\/k8s\.go/);
});
