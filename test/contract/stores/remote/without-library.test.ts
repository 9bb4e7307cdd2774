/** A machine without the optional libraries: said in words, with what to install. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = (path: string): string =>
  fileURLToPath(new URL(`../../../../activities/storage/${path}`, import.meta.url));

/** Node's own error for a package that is not installed. */
const without = (name: string): string =>
  `import { registerHooks } from 'node:module';
   registerHooks({ resolve: (specifier, context, next) =>
     next(specifier === '${name}' ? '${name}-that-is-not-installed' : specifier, context) });`;

test('a store on PostgreSQL without the package pg', () => {
  const script = `${without('pg')}
    const { loadDriver } = await import('${program('postgres/driver.ts')}');
    await loadDriver().catch((error) => console.log(error.name, error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(stdout).toMatch(/^MissingPartError .*needs the package "pg", .*npm install pg/);
});

test('an object store without the package @aws-sdk/client-s3', () => {
  const script = `${without('@aws-sdk/client-s3')}
    const { s3Blobs } = await import('${program('s3/s3-blobs.ts')}');
    await s3Blobs('s3://bucket').get('k').catch((error) => console.log(error.name, error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(stdout).toMatch(/^MissingPartError .*needs the package "@aws-sdk\/client-s3", .*npm install/);
});
