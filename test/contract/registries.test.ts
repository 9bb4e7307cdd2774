/**
 * The same requirements for each entry of every registry: it has the name of its key, is documented where users look
 * for it, is deterministic, and rejects malformed input with an InputError only. Other requirements are tested next to
 * the entries.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importFormats } from '../../activities/exchange/imports/import-formats.ts';
import { accountProviders, builtInProviders } from '../../activities/providers/index.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import { InputError } from '../../domain/errors.ts';
import { languages } from '../../domain/languages/index.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { parseExactJson } from '../../domain/values/exact-json.ts';
import { type ProgramLanguage, programLanguages } from '../../schemas/program.ts';
import { accountFacts, builtInFacts } from '../../schemas/spec/providers.ts';
import type { Task } from '../../schemas/task.ts';
import { attackedPrompt } from '../../studies/evaloop/attacks/attack.ts';
import { attacks } from '../../studies/evaloop/attacks/index.ts';
import { dualPairs } from '../../studies/evaloop/pairs/index.ts';
import { lastDefining } from '../../domain/extraction/rules/last-defining.ts';
import { importers } from '../../studies/importers.ts';
import { studyKinds } from '../../studies/index.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const root = join(import.meta.dirname, '..', '..');
const textOf = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');
const textsIn = (folder: string): string =>
  readdirSync(join(root, folder))
    .map((name) => textOf(folder, name))
    .join('\n');

/** Returns the result of `made`, or the InputError that it throws; rethrows any other error. */
function orInputError<T>(made: () => T): T | InputError {
  try {
    return made();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

const specWith = ({
  models = '[{ id: a, provider: simulated }]',
  providers = '{}',
  study = 'kind: evaloop',
} = {}): string => `name: contract
providers: ${providers}
models: ${models}
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: s, benchmark: b, ${study} }]
`;
const parsed = (text: string) => orInputError(() => parseSpec(text, 'contract.yaml'));

describe.each(studyKinds)('study %s', (kind) => {
  test('has a page and example specs', () => {
    expect(textsIn('docs/studies')).toMatch(new RegExp(`kind: ${kind}\\b`));
    expect(textOf('docs/spec.md')).toContain(`\`${kind}\``);
  });

  test.each([
    'settings: 7',
    'settings: { noSuchSetting: 1 }',
    'models: [nobody]',
    'repetitions: -1',
    'settings: { temperature: hot }',
  ])('refuses %s with a place', (part) => {
    expect(parsed(specWith({ study: `kind: ${kind}, ${part}` }))).toBeInstanceOf(InputError);
  });
});

describe.each(Object.entries(benchmarkFormats))('benchmark format %s', (key, format) => {
  const at = { file: 'tasks.jsonl', line: 3, index: null };
  const read = (record: unknown) => orInputError(() => format.parseRecord(record, at));

  test('has the name of its key and is documented', () => {
    expect(format.name).toBe(key);
    expect(textOf('docs/benchmarks.md')).toContain(`\`${key}\``);
  });

  test('refuses anything that is not a record, with the file', () => {
    for (const record of [null, 7, 'x', [], {}, { task_id: 1 }])
      expect(read(record)).toMatchObject({ name: 'InputError', file: 'tasks.jsonl' });
  });

  test('any file gives a task or an InputError, and the same one again', () => {
    const fields = [
      'task_id',
      'prompt',
      'entry_point',
      'canonical_solution',
      'test',
      'language',
      'code',
      'test_list',
      'text',
    ];
    const value = fc.oneof(
      fc.constantFrom('', 'f', 'python', 'MBJSP/2', 'HumanEval/0', 'def f(x):\n', 'assert f(1) == 2'),
      fc.jsonValue(),
    );
    const record = fc.dictionary(fc.constantFrom(...fields), value);
    fc.assert(
      fc.property(record, (one) => {
        const json = JSON.stringify(one);
        expect(read(parseExactJson(json))).toEqual(read(parseExactJson(json)));
      }),
      { seed: 21, numRuns: 100 },
    );
  });
});

test('the format for users’ tasks gives back what was written', () => {
  const [line = ''] = benchmarkText(tinyTasks(1)).split('\n');
  const task = benchmarkFormats.evenkeel.parseRecord(parseExactJson(line), { file: 'x', line: 1, index: null });
  expect(task).toMatchObject({ taskId: 'Tiny/1', entryPoint: 'add_1', reference: JSON.parse(line).reference });
});

describe.each(Object.keys(accountFacts))('account %s', (kind) => {
  const account = (more: string) =>
    specWith({ models: '[{ id: a, provider: acc }]', providers: `{ acc: { kind: ${kind}, ${more} } }` });

  test('is documented, can be created, and is checked before a run', () => {
    expect(textOf('docs/providers.md')).toContain(`kind: ${kind}`);
    expect(Object.keys(accountProviders)).toContain(kind);
    expect(parsed(account('baseUrl: "http://127.0.0.1:1/v1"'))).not.toBeInstanceOf(InputError);
  });

  test.each([
    '',
    'baseUrl: 7',
    'baseUrl: ftp://x',
    'baseUrl: "http://u:p@h/v1"',
    'baseUrl: "http://h/v1", apiKeyEnv: "a key"',
    'baseUrl: "http://h/v1", more: 1',
  ])('refuses %s', (part) => {
    expect(parsed(account(part))).toBeInstanceOf(InputError);
  });
});

describe.each(Object.entries(builtInFacts))('built-in provider %s', (name, { ownKey }) => {
  const model = (more: string) => specWith({ models: `[{ id: a, provider: ${name}${more} }]` });

  test('is documented and can be created, and no account can have its name', () => {
    expect(textOf('docs/providers.md')).toContain(`provider: ${name}`);
    expect(Object.keys(builtInProviders)).toContain(name);
    expect(
      parsed(
        specWith({
          models: `[{ id: a, provider: ${name} }]`,
          providers: `{ ${name}: { kind: simulator, baseUrl: "http://h/v1" } }`,
        }),
      ),
    ).toBeInstanceOf(InputError);
  });

  test('has a key that no other provider has, and says if it is missing', () => {
    if (ownKey === null) return expect(parsed(model(''))).not.toBeInstanceOf(InputError);
    expect(parsed(model('')) instanceof InputError).toBe(ownKey.needed);
    expect(parsed(model(`, ${ownKey.key}: some`))).not.toBeInstanceOf(InputError);
    for (const other of Object.keys(builtInFacts).filter((one) => one !== name))
      expect(parsed(specWith({ models: `[{ id: a, provider: ${other}, ${ownKey.key}: some }]` }))).toMatchObject({
        message: expect.stringContaining(`only a model with provider: ${name} may have a ${ownKey.title}`),
      });
  });
});

describe.each(attacks)('attack $name', (attack) => {
  const prompt =
    '"""\nWrite a function to find the shared elements from the given two lists.\n' +
    'assert f((3, 4), (4, 5)) == {4}\n"""\n';
  const task = (taskId: string) => ({ taskId, entryPoint: 'f', prompt });
  const draws = Array.from({ length: 20 }, (_, seed) => attackedPrompt(attack, task('T/1'), seed));

  test('has a unique name, under which it is documented', () => {
    expect(attacks.filter(({ name }) => name === attack.name)).toHaveLength(1);
    expect(textOf('docs/studies/evaloop.md')).toContain(`| \`${attack.name}\` |`);
  });

  test('gives the same prompt for the same seed, and other prompts for other seeds only if it is random', () => {
    expect(draws).toEqual(draws.map((_, seed) => attackedPrompt(attack, task('T/1'), seed)));
    expect(new Set(draws).size > 1).toBe(attack.random);
  });

  test('changes something, and makes a prompt of any prompt', () => {
    expect(draws.some((one) => one !== null)).toBe(true);
    fc.assert(
      fc.property(fc.string(), fc.integer(), (words, seed) => {
        expect(attackedPrompt(attack, { ...task('T/2'), prompt: words }, seed)).not.toBe('');
      }),
      { seed: 21, numRuns: 100 },
    );
  });
});

describe.each(Object.entries(dualPairs))('dual pair %s', (name, pair) => {
  test('is documented, and its question contains all of its input, the same each time', () => {
    expect(textOf('docs/studies/evaloop.md')).toContain(`\`${name}\``);
    for (const ask of [pair.describe, pair.code, ...(pair.draft === undefined ? [] : [pair.draft])]) {
      expect(ask('def f(x):\n    return x')).toContain('def f(x):\n    return x');
      expect(ask('a $& b')).toBe(ask('a $& b'));
      expect(ask('a $& b')).toContain('a $& b');
    }
  });
});

const programs: Readonly<Record<ProgramLanguage, string>> = {
  python: 'def add_one(x):\n    return x + 1\n',
  javascript: 'function add_one(x) {\n  return x + 1;\n}\n',
  php: '<?php\nfunction add_one($x) {\n    return $x + 1;\n}\n',
  ruby: 'def add_one(x)\n  x + 1\nend\n',
  perl: 'sub add_one {\n  my ($x) = @_;\n  return $x + 1;\n}\n',
  cpp: 'int add_one(int x) {\n  return x + 1;\n}\n',
};

describe.each(Object.entries(importers))('recordings of %s', (name, load) => {
  test('have an importer with its advice and unit, and the documents name the command', async () => {
    const { advice, unit } = await load();
    expect([advice, unit]).not.toContain('');
    expect(`${textsIn('docs/studies')}${textOf('docs', 'reproductions.md')}`).toContain('evenkeel import');
    expect(Object.keys(importFormats)).not.toContain(name);
  });

  test('are read the same each time, or refused with the file', async () => {
    const { parse } = await load();
    const read = (text: string) =>
      orInputError(() => {
        const { tasks, lines } = parse(text, 'recording.json');
        return { tasks, lines };
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const found = read(text);
        expect(found).toEqual(read(text));
        if (found instanceof InputError) expect(found.message).toContain('recording.json');
      }),
      { seed: 21, numRuns: 60 },
    );
  });
});

describe.each(Object.entries(importFormats))('import format %s', (name, { about, holds, load }) => {
  test('says what it is and what its texts are, and the documents give an example', async () => {
    expect([about, holds.length > 0, typeof (await load())]).toEqual([expect.any(String), true, 'function']);
    expect(textOf('docs/exchange.md')).toContain(`--format ${name} `);
  });

  test('refuses what it is not, with the file', async () => {
    const read = await load();
    const missing = join(import.meta.dirname, 'missing.json');
    const all = async (path: string) => {
      for await (const _ of read({ path, columns: new Map(), tasks: null }));
    };
    for (const path of [missing, import.meta.filename])
      await expect(all(path)).rejects.toThrow(expect.objectContaining({ name: 'InputError', file: path }));
  });
});

describe.each(programLanguages)('language %s', (name) => {
  const language = languages[name];
  const task: Pick<Task, 'entryPoint' | 'prompt' | 'language'> = { entryPoint: 'add_one', prompt: '', language: name };
  const program = programs[name];
  const fenced = (tag: string): string => `Here it is:\n\n\`\`\`${tag}\n${program}\`\`\`\n`;

  test('is documented, with a title and tags of blocks that no other has', () => {
    expect(textOf('docs/sandbox.md')).toContain(language.title);
    for (const other of programLanguages.filter((one) => one !== name)) {
      expect(languages[other].title).not.toBe(language.title);
      expect(languages[other].fence).not.toBe(language.fence);
    }
  });

  test('has its own entry in the image if it runs as a file', () => {
    const isThere = new RegExp(`^    '${name}': Language\\($`, 'm').test(textOf('sandbox/container/languages.py'));
    expect(isThere).toBe(language.isScript);
  });

  test('finds a program that defines the function, under each of its tags of blocks', () => {
    for (const tag of [language.fence, ...language.otherFences, '']) {
      const { code, how } = lastDefining.code(fenced(tag), task);
      expect([tag, how]).toEqual([tag, 'fenced']);
      expect(language.reading.defines(code ?? '', 'add_one')).toBe(true);
    }
    expect(language.reading.owns('cobol')).toBe(false);
    expect(language.reading.defines(program, 'add_two')).toBe(false);
  });

  test('never throws on a reply, and gives the same result again', () => {
    const piece = fc.oneof(
      fc.constantFrom('```', '\n', program, language.fence, 'add_one(1)', '}', 'end', '<?php', '"""'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const reply = pieces.join('');
        expect(lastDefining.code(reply, task)).toEqual(lastDefining.code(reply, task));
      }),
      { seed: 21, numRuns: 60 },
    );
  });
});

test('the name of a language only occurs in its own files, in registries, and in formats and studies for it', () => {
  const rooms = ['activities', 'analysis', 'cli', 'domain', 'simulator', 'studies', 'workers', 'workflows'];
  const own =
    /^(?:domain\/languages\/|domain\/benchmarks\/pareval\.ts|activities\/benchmarks\/pareval|studies\/specificity\/)/;
  const others: readonly ProgramLanguage[] = programLanguages.filter((name) => languages[name].isScript);
  const naming = new RegExp(`(?:===|!==|case)\\s*'(?:${others.join('|')})'`);
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  );
  expect(files.filter((file) => file.endsWith('.ts') && !own.test(file) && naming.test(textOf(file)))).toEqual([]);
});
