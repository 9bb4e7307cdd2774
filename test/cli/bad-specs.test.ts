/**
 * Specs that people get wrong. Each is refused with the place of the fault, which a ▸ marks in its text, and the
 * rule.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadBenchmarks } from '../../activities/runs/plan-inputs.ts';
import { readSpecFile } from '../../cli/spec-file.ts';
import { InputError } from '../../domain/errors.ts';
import { accountRows, good, json, mark, rows, withModel } from '../support/bad-spec-rows.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(2)));
  mkdirSync(join(folder, 'folder'));
});

/** The text without its mark, and the expected line of the refusal. */
function withoutMark(text: string, rule: string, file: string): { text: string; line: string } {
  const before = text.slice(0, text.indexOf(mark)).split('\n');
  const place = `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  return { text: text.replace(mark, ''), line: `${place}  ${rule.replaceAll('FOLDER', folder)}` };
}

async function refusalOf(content: string | Uint8Array, file: string): Promise<string[]> {
  writeFileSync(file, content);
  try {
    await loadBenchmarks(await readSpecFile(file));
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message.split('\n');
  }
  throw new Error('the spec was accepted');
}

test('the spec that the bad specs are derived from is accepted', async () => {
  const file = join(folder, 'good.yaml');
  for (const text of [
    good,
    json('[{ "id": "a", "provider": "simulated" }]'),
    `\uFEFF${good}`,
    good.replaceAll('\n', '\r\n'),
  ]) {
    writeFileSync(file, text);
    expect((await readSpecFile(file)).spec).toMatchObject({ name: 'nightly', models: [{ id: 'a' }] });
  }
});

test.each(rows)('%s', async (_what, marked, rule) => {
  expect(marked.split(mark)).toHaveLength(2);
  const file = join(folder, 'spec.yaml');
  const { text, line } = withoutMark(marked, rule, file);
  expect(await refusalOf(text, file)).toContain(line);
});

describe('bytes that are not UTF-8 text', () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));

  test.each<[string, Uint8Array, string]>([
    [
      'Latin-1',
      bytes('name: nightly\nmodels:\n  - { id: Mod', [0xe8], '}'),
      '3:14  is not UTF-8 from here on; save it as UTF-8',
    ],
    [
      'a character that is cut off at the end',
      bytes('name: Mod', [0xc3]),
      '1:10  is not UTF-8 from here on; save it as UTF-8',
    ],
    ['UTF-16', bytes([0xff, 0xfe], [...Buffer.from('name', 'utf16le')]), '1:1  is UTF-16; save it as UTF-8'],
    [
      'a fault behind a mark of UTF-8',
      bytes([0xef, 0xbb, 0xbf], `nme: x\n${good}`),
      '1:1  nme: unknown key "nme"; did you mean "name"?',
    ],
    [
      'lines of Windows',
      bytes(`${good}sead: 7\n`.replaceAll('\n', '\r\n')),
      '8:1  sead: unknown key "sead"; did you mean "seed"?',
    ],
    ['a hundred thousand brackets', bytes('['.repeat(100_000)), '1:1  is nested too deeply'],
  ])('%s', async (_what, content, place) => {
    const file = join(folder, 'bytes.yaml');
    expect(await refusalOf(content, file)).toContain(`${file}:${place}`);
  });
});

test('no error message repeats a text that may be a key', async () => {
  for (const [, marked] of accountRows.filter(([, text]) => text.includes('secret')))
    expect((await refusalOf(marked.replace(mark, ''), join(folder, 'private.yaml'))).join()).not.toContain('secret');
});

test('nothing is interpolated: a text that looks like a variable stays unchanged', async () => {
  const file = join(folder, 'literal.yaml');
  writeFileSync(file, withModel('{ id: "$HOME", provider: simulated, model: "${HOME}", family: "{{ env.HOME }}" }'));
  expect((await readSpecFile(file)).spec.models[0]).toMatchObject({
    id: '$HOME',
    model: '${HOME}',
    family: '{{ env.HOME }}',
  });
});

describe('the command refuses with exit status 2, the same line, and no stack trace', () => {
  const chosen = [
    'a tab',
    'aliases of aliases of aliases',
    'an unknown provider in JSON',
    'dollars for a model without a price',
    'a suite that no task has',
  ];

  test.each(rows.filter(([what]) => chosen.includes(what)))('%s', async (_what, marked, rule) => {
    const file = join(folder, 'command.yaml');
    const { text, line } = withoutMark(marked, rule, file);
    writeFileSync(file, text);
    for (const verb of ['plan', 'run']) {
      const { status, stdout, stderr } = await runCommand([verb, file, '--runs-dir', join(folder, 'runs')]);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr.split('\n')).toContain(line);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  test.each([
    ['a folder', 'folder', /folder {2}is a folder; name the spec file in it/],
    ['no file', 'nowhere.yaml', /nowhere\.yaml {2}no such file; `(?:npx )?evenkeel init` writes an example/],
    // Red before: read until the memory was full.
    ['a file without an end', '/dev/zero', /^\/dev\/zero {2}has more than 16 MiB, so it is no spec; `/],
  ])('%s', async (_what, name, message) => {
    const { status, stderr } = await runCommand(['plan', resolve(folder, name)]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test('a spec may come through a pipe; a file that it names is none, and no device', async () => {
  const [pipe, spec] = [join(folder, 'pipe'), join(folder, 'spec')];
  execFileSync('mkfifo', [pipe, spec]);
  const written = writeFile(spec, good);
  expect((await readSpecFile(spec)).spec).toMatchObject({ name: 'nightly' });
  await written;
  for (const file of ['/dev/zero', pipe]) {
    const text = json(`[{ "id": "a", "provider": "replay", "file": ${JSON.stringify(file)} }]`);
    writeFileSync(join(folder, 'replay.yaml'), text);
    await expect(readSpecFile(join(folder, 'replay.yaml'))).rejects.toThrow(
      `${file} must be a regular file, got a device, pipe or socket`,
    );
  }
  await expect(readSpecFile('/dev/zero')).rejects.toThrow('has more than 16 MiB');
});
