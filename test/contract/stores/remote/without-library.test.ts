/** A machine without the optional libraries: said in words, with what to install. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../../activities/storage/postgres/driver.ts', import.meta.url));

/** Node's own error for a package that is not installed. */
const without = (name: string): string =>
  `import { registerHooks } from 'node:module';
   registerHooks({ resolve: (specifier, context, next) =>
     next(specifier === '${name}' ? '${name}-that-is-not-installed' : specifier, context) });`;

test('a store on PostgreSQL without the package pg', () => {
  const script = `${without('pg')}
    const { loadDriver } = await import('${program}');
    await loadDriver().catch((error) => console.log(error.name, error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(stdout).toMatch(/^MissingPartError .*needs the package "pg", .*npm install pg/);
});
