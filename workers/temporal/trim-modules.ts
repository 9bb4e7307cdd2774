/**
 * Builds Temporal without parts that an embedded server does not use: compute providers that start serverless workers
 * in clouds, archives in S3 and Google Cloud Storage, storage in MySQL and PostgreSQL. They are 37 % of the code
 * compiled and 30 % of the download (decision 20).
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

/**
 * The compute providers register themselves and nothing else imports them, so they are just left out. The rest is
 * imported, so stubs replace it.
 */
const trimmed: readonly Trimmed[] = [
  {
    module: 'go.temporal.io/auto-scaled-workers',
    name: 'auto-scaled-workers',
    without: ['aws', 'aws_ecs', 'aws_lambda', 'gcp_cloudrun', 'k8s'].map(
      (file) => `wci/workflow/compute_provider/${file}.go`,
    ),
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

/**
 * Downloads those modules, which checks them against go.sum, and makes the build in `folder` use trimmed copies.
 * @param instead folder of the stubs
 */
export async function trimModules(go: Go, folder: string, instead: string): Promise<void> {
  const modules = trimmed.map(({ module }) => module);
  await go(['mod', 'download', '-modcacherw', ...modules]);
  const sources = (await go(['list', '-m', '-f', '{{.Dir}}', ...modules])).trim().split('\n');
  for (const [index, { name, without }] of trimmed.entries()) {
    const source = sources[index] ?? '';
    // Fails if an update of the pinned version renamed these paths.
    await Promise.all(without.map((path) => access(join(source, path))));
    await cp(source, join(folder, name), {
      recursive: true,
      filter: (path) => !without.includes(relative(source, path)),
    });
  }
  await cp(instead, folder, { recursive: true });
  await go(['mod', 'edit', ...trimmed.map(({ module, name }) => `-replace=${module}=./${name}`)]);
}
