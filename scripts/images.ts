/**
 * Builds the images of deploy/Dockerfile from this clone: scripts/images.ts [--engine docker|podman] [--base IMAGE]
 * [--tag TAG]. Prints their names. The base image must have Node 24 and be Debian's, such as node:24-bookworm-slim.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { companyCertificates } from '../activities/sandboxes/container/container-image.ts';
import { root } from './root.ts';

interface Package {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const program = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'docker' },
    base: { type: 'string', default: 'node:24-bookworm-slim' },
    tag: { type: 'string', default: program.version },
  },
});
const targets = ['worker', 'sandbox'] as const;

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-images-'));
try {
  stage(folder);
  for (const target of targets) console.log(build(folder, target));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What the Dockerfile copies: the packed program with its libraries, those of stores on servers too. */
function stage(context: string): void {
  const app = join(context, 'app');
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', context])) as { filename: string }[];
  if (packed === undefined) throw new Error('npm pack wrote no file');
  // As tested: the versions of the development.
  const peers = Object.keys(program.peerDependencies).map((name) => `${name}@${program.devDependencies[name]}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  run('npm', ['install', '--prefix', app, ...flags, join(context, packed.filename), ...peers]);
  // Temporal's library brings its native part for every system.
  const natives = join(app, 'node_modules', '@temporalio', 'core-bridge', 'releases');
  for (const name of readdirSync(natives))
    if (!name.endsWith('-linux-gnu')) rmSync(join(natives, name), { recursive: true });
  copyFileSync(join(root, 'deploy', 'Dockerfile'), join(context, 'Dockerfile'));
  writeFileSync(join(context, '.dockerignore'), '*.tgz\n');
  writeFileSync(join(context, 'ca.crt'), companyCertificates());
}

/** The name of the built image. */
function build(context: string, target: (typeof targets)[number]): string {
  const name = `evenkeel-${target}:${values.tag}`;
  const args = ['--target', target, '--tag', name, '--build-arg', `BASE=${values.base}`, '--network', 'host'];
  run(values.engine, ['build', ...args, context]);
  return name;
}

/** Returns its standard output. Its errors are shown. */
function run(command: string, args: readonly string[]): string {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return execFileSync(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
}
