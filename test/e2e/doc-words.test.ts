/** Commands that the documents only mention: every verb, option, script and file in them exists. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { mentionedCommands, repository } from '../support/doc-commands.ts';

const named = z.record(z.string(), z.string());
const { scripts, peerDependencies: libraries } = z
  .object({ scripts: named, peerDependencies: named })
  .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));
/** npm's own commands, and the libraries that a user may install. */
const npmWords = ['ci', 'test', 'install', 'pack', ...Object.keys(libraries)];
const helps = new Map<string, Promise<string>>();

/** The help of a verb; fails for an unknown verb. */
async function helpOf(entry: string, verb: string): Promise<string> {
  const key = `${entry} ${verb}`;
  const asked =
    helps.get(key) ??
    promisify(execFile)(process.execPath, [join(repository, entry), verb, '--help']).then(({ stdout }) => stdout);
  helps.set(key, asked);
  return await asked;
}

/** The parts of a command that do not exist. */
async function missingIn(text: string): Promise<string[]> {
  const bench = /^npm run bench -- (?<verb>\S+)(?<rest>.*)$/.exec(text)?.groups;
  if (bench !== undefined) return await unknownOptions('bench/main.ts', bench['verb'] ?? '', bench['rest'] ?? '');
  const own = /^evenkeel (?<verb>\S+)(?<rest>.*)$/.exec(text)?.groups;
  if (own !== undefined) return await unknownOptions('cli/main.ts', own['verb'] ?? '', own['rest'] ?? '');
  const [program = '', ...words] = text.split(' ');
  if (program === 'npm')
    return words[0] === 'run'
      ? words.slice(1, 2).filter((name) => !(name in scripts))
      : words.filter((name) => !npmWords.includes(name));
  return words.filter((word) => word.includes('/') && !existsSync(join(repository, word)));
}

async function unknownOptions(entry: string, verb: string, rest: string): Promise<string[]> {
  const help = await helpOf(entry, verb);
  return [...rest.matchAll(/(?<=\s)--[a-z][\w-]*/g)]
    .map(([option]) => option)
    .filter((option) => !new RegExp(`${option}\\b`).test(help));
}

test('every verb, option, script and file that the documents mention exists', async () => {
  const mentioned = mentionedCommands();
  expect(mentioned.length).toBeGreaterThan(80);
  const faults: string[] = [];
  for (const { document, text } of mentioned)
    for (const missing of await missingIn(text)) faults.push(`${document}: ${missing} in "${text}"`);
  expect(faults).toEqual([]);
});
