/**
 * Adds optional packages of other platforms to package-lock.json which were missing from the registry when the lock
 * file was written. Without them `npm ci` refuses the lock file, or omits them on those platforms. Run it after every
 * `npm install` that changes the lock file: npm run lock
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
console.log(`added ${Object.keys(added).length} packages of other platforms to package-lock.json`);

function missingEntries(packages: Readonly<Record<string, LockEntry>>): Record<string, LockEntry> {
  const known = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  );
  const missing = wanted.filter(({ name }) => !known.has(name));
  return Object.fromEntries(
    missing.map(({ name, version, dev }) => [`node_modules/${name}`, entryOf(name, version, dev === true)]),
  );
}

/** The lock entry of a platform package: its name tells the platform, and its parent pins its exact version. */
function entryOf(name: string, version: string, dev: boolean): LockEntry {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const os = words.find((word) => ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].includes(word));
  const cpu = words.find((word) => ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'].includes(word));
  if (!/^\d/.test(version) || os === undefined || cpu === undefined) {
    throw new Error(
      `cannot tell the platform of ${name}@${version} by its name: run npm install with a registry that has it`,
    );
  }
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {};
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), ...libc, optional: true, os: [os] };
}
