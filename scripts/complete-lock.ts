/**
 * Adds to package-lock.json the optional packages of other platforms that its packages name but a registry did not have when the lock file was
 * made. Without them `npm ci` refuses the lock file, and on those platforms npm would leave them out. Run it after every `npm install`
 * that changes the lock file: npm run lock
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly os?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };
const added = missingEntries(lock.packages);
const inNpmOrder = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(inNpmOrder) }, null, 2)}\n`);
console.log(`${Object.keys(added).length} packages of other platforms added to package-lock.json`);

function missingEntries(packages: Readonly<Record<string, LockEntry>>): Record<string, LockEntry> {
  const known = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  );
  const missing = wanted.filter(({ name }) => !known.has(name));
  return Object.fromEntries(missing.map(({ name, version, dev }) => [`node_modules/${name}`, entryOf(name, version, dev === true)]));
}

/** Platform packages are pinned exactly by the package that needs them, and say their platform in their names. */
function entryOf(name: string, version: string, dev: boolean): LockEntry {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const os = words.find((word) => ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].includes(word));
  const cpu = words.find((word) => ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'].includes(word));
  if (!/^\d/.test(version) || os === undefined || cpu === undefined) {
    throw new Error(`cannot tell the platform of ${name}@${version}: run npm install where the registry has it`);
  }
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {};
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), ...libc, optional: true, os: [os] };
}
