/** This machine's pip index settings, for image builds that install packages: a company may have its own index. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { xdgFolder } from '../../../domain/xdg-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings to copy; paths on this machine (certificates, folders of wheels) mean nothing in a build. */
const names = ['index-url', 'extra-index-url', 'trusted-host', 'timeout'] as const;

/**
 * A `pip.conf` with the settings that pip itself would use: from the environment, else from the last file that has
 * them. Empty if nothing is set.
 */
export function pipSettings(env: Environment = process.env): string {
  const settings = new Map<string, string>();
  for (const file of pipFiles(env)) for (const [name, value] of readSettings(file)) settings.set(name, value);
  for (const name of names) {
    const value = env[`PIP_${name.toUpperCase().replaceAll('-', '_')}`];
    if (value !== undefined && value !== '') settings.set(name, value);
  }
  const lines = names.flatMap((name) => (settings.has(name) ? [`${name} = ${settings.get(name)}`] : []));
  return lines.length === 0 ? '' : `[global]\n${lines.join('\n')}\n`;
}

/** From the machine-wide file to the most specific one. */
function pipFiles(env: Environment): string[] {
  const home = env['HOME'] ?? homedir();
  const own = [
    join(home, '.pip', 'pip.conf'),
    join(xdgFolder(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'pip', 'pip.conf'),
  ];
  return ['/etc/pip.conf', ...own, ...(env['PIP_CONFIG_FILE'] === undefined ? [] : [env['PIP_CONFIG_FILE']])];
}

/**
 * Reads `[global]`, then `[install]`, which takes precedence. A value that continues on indented
 * lines is joined with spaces.
 */
function readSettings(file: string): [name: string, value: string][] {
  let section = '';
  const found: { section: string; name: string; value: string }[] = [];
  for (const line of textOf(file).split(/\r?\n/)) {
    const goesOn = /^\s+[^\s#;]/.test(line) ? found.at(-1) : undefined;
    const heading = /^\[(.*)\]\s*$/.exec(line)?.[1];
    const [, name, value] = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    else if (goesOn !== undefined) goesOn.value = `${goesOn.value} ${line.trim()}`.trim();
    else if (name !== undefined && value !== undefined)
      found.push({ section, name: name.replaceAll('_', '-'), value: value.trim() });
  }
  const of = (wanted: string) => found.filter((one) => one.section === wanted);
  return [...of('global'), ...of('install')]
    .filter(({ name }) => names.some((each) => each === name))
    .map(({ name, value }) => [name, value]);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
