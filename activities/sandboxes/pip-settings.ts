/** Where this machine's pip gets packages from, for builds that install some: a company's own index, as its settings name it. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What travels; paths of this machine (certificates, folders of wheels) mean nothing in a build. */
const names = ['index-url', 'extra-index-url', 'trusted-host', 'timeout'] as const;

/** A `pip.conf` with what pip itself would take: the environment's word, else that of the last file that has one. Empty where nothing is set. */
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

/** From the whole machine's to the most particular. */
function pipFiles(env: Environment): string[] {
  const home = env['HOME'] ?? homedir();
  const own = [join(home, '.pip', 'pip.conf'), join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'pip', 'pip.conf')];
  return ['/etc/pip.conf', ...own, ...(env['PIP_CONFIG_FILE'] === undefined ? [] : [env['PIP_CONFIG_FILE']])];
}

/** Of `[global]`, and of `[install]` over it. A value that goes on over indented lines is joined by spaces. */
function readSettings(file: string): [name: string, value: string][] {
  let section = '';
  const found: { section: string; name: string; value: string }[] = [];
  for (const line of textOf(file).split(/\r?\n/)) {
    const goesOn = /^\s+[^\s#;]/.test(line) ? found.at(-1) : undefined;
    const heading = /^\[(.*)\]\s*$/.exec(line)?.[1];
    const [, name, value] = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    else if (goesOn !== undefined) goesOn.value = `${goesOn.value} ${line.trim()}`.trim();
    else if (name !== undefined && value !== undefined) found.push({ section, name: name.replaceAll('_', '-'), value: value.trim() });
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
