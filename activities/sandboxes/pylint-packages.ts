/**
 * Pylint for slots without an image: installed by this machine's pip, once for each list of versions and interpreter.
 * pip checks every file against the hashes in the list.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingPartError } from '../../domain/errors.ts';
import { imageFolder } from './container/container-image.ts';

const list = join(imageFolder, 'requirements.txt');
const execute = promisify(execFile);
const installTimeoutMs = 300_000;
const complaintLines = 3;

/**
 * The folder that holds Pylint, in `cache`. Installs it if it is missing.
 * @param python path of the interpreter that will load it
 * @throws MissingPartError with pip's last words if it cannot be installed
 */
export async function pylintPackages(
  cache: string,
  python: string,
  onProgress: (line: string) => void = () => undefined,
): Promise<string> {
  try {
    const { stdout } = await execute(python, ['--version']);
    const key = createHash('sha256').update(readFileSync(list)).update(stdout).digest('hex').slice(0, 16);
    const folder = join(cache, `pylint-${key}`);
    if (!existsSync(folder)) {
      onProgress(`installing Pylint into ${folder}`);
      await install(cache, folder, python);
    }
    return folder;
  } catch (error) {
    throw new MissingPartError(
      `the bubblewrap sandbox measures quality with Pylint, which pip could not install: ${lastWords(error)}; ` +
        'give pip an index that it can reach (PIP_INDEX_URL), or set EVENKEEL_SANDBOX=container, or =embedded, which ' +
        'measures pass or fail only',
    );
  }
}

/** In a folder of its own first, so that an interrupted installation leaves none that looks complete. */
async function install(cache: string, folder: string, python: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, 'pylint-making-'));
  const options = ['--no-cache-dir', '--disable-pip-version-check', '--no-compile', '--only-binary', ':all:'];
  const pinned = ['--no-deps', '--require-hashes', '--target', making, '-r', list];
  try {
    await execute(python, ['-m', 'pip', 'install', '--quiet', ...options, ...pinned], { timeout: installTimeoutMs });
    await execute(python, ['-m', 'compileall', '-q', making], { timeout: installTimeoutMs });
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function lastWords(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
  const lines = (stderr?.trim() || message).split('\n');
  return lines.slice(-complaintLines).join(' ');
}
