/**
 * Temporal without what an embedded server has no use for: compute providers that start serverless workers in clouds, archives in S3 and Google
 * Cloud Storage, storage in MySQL and PostgreSQL. They are 37 % of all that is compiled and 30 % of what is downloaded (decision 20).
 */
import { access, cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Go } from './go-command.ts';

interface Trimmed {
  /** Path of the Go module. */
  readonly module: string;
  /** Folder of the copy. */
  readonly name: string;
  /** Files and folders within the module. */
  readonly without: readonly string[];
}

/** The compute providers register themselves and nothing else names them; the rest is named, so something stands in its place. */
const trimmed: readonly Trimmed[] = [
  {
    module: 'go.temporal.io/auto-scaled-workers',
    name: 'auto-scaled-workers',
    without: ['aws', 'aws_ecs', 'aws_lambda', 'gcp_cloudrun', 'k8s'].map((file) => `wci/workflow/compute_provider/${file}.go`),
  },
  {
    module: 'go.temporal.io/server',
    name: 'server',
    without: [
      'common/archiver/gcloud',
      'common/archiver/s3store',
      'common/persistence/sql/sqlplugin/mysql',
      'common/persistence/sql/sqlplugin/postgresql',
    ],
  },
];

/** Downloads those modules, which checks them against go.sum, and has the build in `folder` use trimmed copies. @param instead what stands in place */
export async function trimModules(go: Go, folder: string, instead: string): Promise<void> {
  const modules = trimmed.map(({ module }) => module);
  await go(['mod', 'download', '-modcacherw', ...modules]);
  const sources = (await go(['list', '-m', '-f', '{{.Dir}}', ...modules])).trim().split('\n');
  for (const [index, { name, without }] of trimmed.entries()) {
    const source = sources[index] ?? '';
    // After an update of the pinned version, these may have other names.
    await Promise.all(without.map((path) => access(join(source, path))));
    await cp(source, join(folder, name), { recursive: true, filter: (path) => !without.includes(relative(source, path)) });
  }
  await cp(instead, folder, { recursive: true });
  await go(['mod', 'edit', ...trimmed.map(({ module, name }) => `-replace=${module}=./${name}`)]);
}
