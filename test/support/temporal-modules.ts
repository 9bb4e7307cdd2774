import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const providers = ['aws', 'aws_ecs', 'aws_lambda', 'gcp_cloudrun', 'k8s', 'registry', 'subprocess'];
const archives = ['gcloud/visibility_archiver.go', 's3store/util.go', 'filestore/util.go'];
const databases = ['mysql/plugin.go', 'postgresql/driver/pgx.go', 'sqlite/plugin.go'];
const files = {
  'auto-scaled-workers': providers.map((name) => `wci/workflow/compute_provider/${name}.go`),
  server: [
    ...archives.map((name) => `common/archiver/${name}`),
    ...databases.map((name) => `common/persistence/sql/sqlplugin/${name}`),
  ],
};

/**
 * The modules of Temporal's server that are trimmed before they are built, with a few of their files. Returns the
 * folders that Go would name.
 */
export function temporalModules(cache: string): string[] {
  return Object.entries(files).map(([module, names]) => {
    const folder = join(cache, module);
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), 'as published');
    }
    return folder;
  });
}
