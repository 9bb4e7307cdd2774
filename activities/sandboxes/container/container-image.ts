/** The image of the slots: named by the hash of `sandbox/container/`, and built if it is missing. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Docker from 'dockerode';
import { MissingPartError } from '../../../domain/errors.ts';
import { followEngine } from './image-log.ts';
import { pipSettings } from './pip-settings.ts';

export const imageFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'sandbox', 'container');

/** Created by `scripts/setup-engine.ts` where no base can be pulled. */
export const madeBase = 'evenkeel-base:bookworm';
/** A dated tag of Debian 12: it never moves. */
const pulledBase = 'debian:bookworm-20250520-slim';

/** `evenkeel-sandbox:` and a hash of every file in the image's folder. */
export function imageTag(): string {
  const hash = createHash('sha256');
  for (const name of imageFiles())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(imageFolder, name)))
      .update('\0');
  return `evenkeel-sandbox:${hash.digest('hex').slice(0, 16)}`;
}

const imageFiles = (): string[] =>
  readdirSync(imageFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map(({ name }) => name)
    .sort();

/** The image's own digest; null if it has not been built here. */
export async function imageDigest(docker: Docker): Promise<string | null> {
  try {
    return (await docker.getImage(imageTag()).inspect()).Id;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return null;
    throw error;
  }
}

/**
 * Builds the image if it is missing, and returns its digest. Throws `MissingPartError` with the engine's words, or the
 * builder's last lines, if it cannot.
 */
export async function buildImage(docker: Docker, onProgress: (line: string) => void): Promise<string> {
  const built = await imageDigest(docker);
  return built ?? (await newImage(docker, onProgress).catch(notMade));
}

function notMade(error: unknown): never {
  const why = error instanceof Error ? error.message.trim() : String(error);
  throw new MissingPartError(
    `the engine cannot make the image of the container sandbox: ${why}\n` +
      `It needs ${pulledBase}, or a base made without pulling, and the network: see "The image" in docs/sandbox.md`,
  );
}

async function newImage(docker: Docker, onProgress: (line: string) => void): Promise<string> {
  const base = await chooseBase(docker, onProgress);
  const context = mkdtempSync(join(tmpdir(), 'evenkeel-image-'));
  try {
    const files = imageFiles();
    for (const name of files) copyFileSync(join(imageFolder, name), join(context, name));
    writeFileSync(join(context, 'ca.crt'), companyCertificates());
    writeFileSync(join(context, 'pip.conf'), pipSettings());
    const stream = await docker.buildImage(
      { context, src: [...files, 'ca.crt', 'pip.conf'] },
      {
        t: imageTag(),
        networkmode: 'host',
        buildargs: { BASE: base },
        labels: { 'evenkeel.image': '1' },
        rm: true,
        forcerm: true,
      },
    );
    await followEngine(docker, stream, onProgress);
  } finally {
    rmSync(context, { recursive: true });
  }
  const digest = await imageDigest(docker);
  if (digest === null) throw new Error(`the engine built no image ${imageTag()}`);
  return digest;
}

async function chooseBase(docker: Docker, onProgress: (line: string) => void): Promise<string> {
  if (await exists(docker, madeBase)) return madeBase;
  if (!(await exists(docker, pulledBase))) {
    onProgress(`pulling ${pulledBase}`);
    await followEngine(docker, await docker.pull(pulledBase), () => undefined);
  }
  return pulledBase;
}

async function exists(docker: Docker, name: string): Promise<boolean> {
  return await docker
    .getImage(name)
    .inspect()
    .then(
      () => true,
      () => false,
    );
}

/**
 * The machine's certificate bundle for builds, since it may trust a company's own authority. Empty if there is none.
 */
export function companyCertificates(): Buffer {
  const named = [
    process.env['NODE_EXTRA_CA_CERTS'],
    process.env['SSL_CERT_FILE'],
    '/etc/ssl/certs/ca-certificates.crt',
  ];
  const file = named.find((path) => path !== undefined && path !== '' && existsSync(path));
  return file === undefined ? Buffer.alloc(0) : readFileSync(file);
}
