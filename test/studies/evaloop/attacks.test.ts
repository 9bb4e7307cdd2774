import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import synonymLists from '../../../data/evaloop/synonyms.json' with { type: 'json' };
import { editDistance } from '../../../domain/edit-distance.ts';
import { type Attack, type AttackedTask, attackedPrompt, isCodeLine } from '../../../studies/evaloop/attacks/attack.ts';
import { attacks } from '../../../studies/evaloop/attacks/index.ts';
import { assertLine } from '../../../studies/evaloop/prompts.ts';
import { benchmarkFile } from '../../support/benchmark-files.ts';

const assert = 'assert set(similar_elements((3, 4, 5, 6),(5, 7, 4, 10))) == set((4, 5))';
const words = 'Write a function to find the shared elements from the given two lists.';
const shared: AttackedTask = {
  taskId: 'Mbpp/2',
  entryPoint: 'similar_elements',
  prompt: `"""\n${words}\n${assert}\n"""\n`,
};

const counting: AttackedTask = {
  taskId: 'Count/1',
  entryPoint: 'count_below',
  prompt: `from typing import List


def count_below(values: List[int], limit: int) -> int:
    """ Return how many of the values lie below limit, and 'none at all' where max_len is 10.
    >>> count_below([1, 5], 3)
    1
    """
`,
};

function named(name: string): Attack {
  const attack = attacks.find((candidate) => candidate.name === name);
  if (!attack) throw new Error(`no attack is called ${name}`);
  return attack;
}

const under = (name: string, task = shared, seed = 1): string => attackedPrompt(named(name), task, seed) ?? 'unchanged';
const wordsUnder = (name: string, seed = 1): string => under(name, shared, seed).split('\n')[1] ?? '';
const seeds = Array.from({ length: 40 }, (_, seed) => seed);

describe("EVALOOP's three attacks (listing 3.1)", () => {
  test('case transformation', () => {
    expect(under('case')).toBe(
      `"""\nWRITE A FUNCTION TO FIND THE SHARED ELEMENTS FROM THE GIVEN TWO LISTS.\n${assert}\n"""\n`,
    );
  });

  test('structural reformatting', () => {
    expect(under('structure')).toBe(`"""\nTask: ${words}\nTest Case:\n${assert}\n"""\n`);
  });

  test('redundant elaboration', () => {
    expect(under('elaboration')).toBe(
      [
        '"""',
        'Please implement the following Python function according to the detailed specification provided below.',
        `Function Requirement: ${words}`,
        'Your implementation must satisfy the following test case:',
        assert,
        'Please ensure your function handles all edge cases and follows Python best practices.',
        '"""',
        '',
      ].join('\n'),
    );
  });

  test('prompts without quotes or with several asserts and lines are attacked too', () => {
    const task = { ...shared, prompt: 'Add them.\nBoth of them.\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n' };
    expect(under('case', task)).toBe('ADD THEM.\nBOTH OF THEM.\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n');
  });

  test.each(['case', 'structure', 'elaboration'])('%s does not apply to a signature with a docstring', (name) => {
    expect(attackedPrompt(named(name), counting, 1)).toBeNull();
  });
});

describe('attacks on wording', () => {
  const wording = attacks.filter(({ family }) => family === 'wording').map(({ name }) => name);

  test.each(wording)('%s gives the same prompt for the same seed, and another for another seed', (name) => {
    expect(under(name)).toBe(under(name));
    expect(new Set(seeds.map((seed) => wordsUnder(name, seed))).size).toBeGreaterThan(5);
  });

  test.each(wording)('%s always changes words, and never quotes or the assert', (name) => {
    for (const seed of seeds) {
      const lines = under(name, shared, seed).split('\n');
      expect(lines[1]).not.toBe(words);
      expect(lines.toSpliced(1, 1)).toEqual(['"""', assert, '"""', '']);
    }
  });

  test.each(wording)(
    '%s leaves signature, examples, names, numbers and quotations of a docstring as they are',
    (name) => {
      for (const seed of seeds) {
        const lines = under(name, counting, seed).split('\n');
        expect(lines.toSpliced(4, 1)).toEqual(counting.prompt.split('\n').toSpliced(4, 1));
        expect(lines[4]).toMatch(/ {4}""" .* limit, .*'none at all' .*\bmax_len\b.* 10\.$/);
      }
    },
  );

  test('a word that is quoted once stays everywhere in the passage', () => {
    const words = "Count the pairs whose sum is ‘sum’, given the total 'pairs'.";
    const prompt = `"""\n${words}\nassert count([1], 2) == 0\n"""\n`;
    const task = { taskId: 'Count/2', entryPoint: 'count', prompt };
    for (const name of wording) {
      for (const seed of seeds) expect(under(name, task, seed), name).toMatch(/pairs .*sum .*‘sum’.*'pairs'/);
    }
  });

  test('typos replace letters by others, one for one, and keep capitals', () => {
    for (const seed of seeds) {
      expect(wordsUnder('typos', seed)).toHaveLength(words.length);
      expect(wordsUnder('typos', seed)).toMatch(/^[A-Z][a-z]+ /);
    }
  });

  test('a typo hits a key next to the right one', () => {
    const beside: Record<string, string> = {
      q: 'wa',
      a: 'qwsz',
      o: 'ipkl',
      l: 'kop',
      n: 'bmhj',
      z: 'asx',
      g: 'fhtyvb',
    };
    const hits = seeds.flatMap((seed) =>
      Array.from(wordsUnder('typos', seed), (letter, at) => [words.charAt(at), letter] as const),
    );
    for (const [right, key] of hits)
      if (right !== key) expect(beside[right]?.includes(key) ?? true, `${right} became ${key}`).toBe(true);
    expect(hits.filter(([right, key]) => right !== key && right in beside).length).toBeGreaterThan(10);
  });

  test('swapped letters keep every word’s letters', () => {
    const sorted = (text: string): string[] => text.split(' ').map((word) => [...word].sort().join(''));
    for (const seed of seeds) expect(sorted(wordsUnder('swapped_letters', seed))).toEqual(sorted(words));
  });

  test('letter case changes only case', () => {
    for (const seed of seeds) expect(wordsUnder('letter_case', seed).toLowerCase()).toBe(words.toLowerCase());
  });

  test('white space changes only spaces, and both loses and adds some', () => {
    for (const seed of seeds) {
      const changed = wordsUnder('white_space', seed);
      expect(changed.replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
      expect(changed).not.toMatch(/ {2}|^ | $/);
    }
  });

  test('synonyms replace listed words and no others', () => {
    const fixed = 'a to the from the two lists.'.split(' ');
    for (const seed of seeds) {
      const changed = wordsUnder('synonyms', seed).split(' ');
      expect(editDistance(fixed, changed) + fixed.length).toBe(changed.length);
    }
    expect(new Set(seeds.map((seed) => wordsUnder('synonyms', seed).split(' ')[0]))).toEqual(
      new Set(['Write', ...synonymLists.write.map((word) => word.charAt(0).toUpperCase() + word.slice(1))]),
    );
  });

  test('no word is listed as a synonym of itself', () => {
    for (const [word, others] of Object.entries(synonymLists)) expect(others, word).not.toContain(word);
  });
});

describe('the check', () => {
  const attack = (apply: Attack['apply']): Attack => ({ name: 'mine', family: 'wording', random: false, apply });

  test('one function makes an attack; one that changes nothing gives no prompt', () => {
    expect(
      attackedPrompt(
        attack(({ prompt }) => prompt.replace('Write', 'Scribble')),
        shared,
        1,
      ),
    ).toContain('Scribble a function');
    expect(
      attackedPrompt(
        attack(({ prompt }) => prompt),
        shared,
        1,
      ),
    ).toBeNull();
  });

  test.each<[string, AttackedTask, (prompt: string) => string]>([
    ['changes an assert', shared, (prompt) => prompt.replace('(4, 5)', '(4, 6)')],
    ['loses an assert', shared, (prompt) => prompt.replace(assert, '')],
    ['adds an assert', shared, (prompt) => prompt.replace(assert, `${assert}\nassert True`)],
    ['indents an assert', shared, (prompt) => prompt.replace(assert, `  ${assert}`)],
    ['renames a parameter', counting, (prompt) => prompt.replace('limit: int', 'bound: int')],
    ['loses an import', counting, (prompt) => prompt.replace('from typing import List', '')],
    ['changes an example', counting, (prompt) => prompt.replace('[1, 5]', '[1, 6]')],
  ])('an attack that %s is refused by name', (_what, task, change) => {
    expect(() =>
      attackedPrompt(
        attack(({ prompt }) => change(prompt)),
        task,
        1,
      ),
    ).toThrow(`attack mine must not change asserts or signature of ${task.taskId}`);
  });
});

const mbppPlus = benchmarkFile('mbpp-plus', 'MbppPlus.jsonl.gz');

test.skipIf(!mbppPlus.isThere)(
  `every attack applies to nearly all of MBPP+ and keeps its assert line${mbppPlus.note}`,
  () => {
    const records = gunzipSync(readFileSync(mbppPlus.path))
      .toString()
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line.replaceAll(/-?Infinity|NaN/g, 'null')) as Record<
            'task_id' | 'prompt' | 'entry_point',
            string
          >,
      );
    expect(records).toHaveLength(378);
    for (const attack of attacks) {
      const prompts = records.map(({ task_id: taskId, prompt, entry_point: entryPoint }) => ({
        prompt,
        after: attackedPrompt(attack, { taskId, prompt, entryPoint }, 1),
      }));
      const attacked = prompts.filter(({ after }) => after !== null);
      expect(attacked.length, attack.name).toBeGreaterThanOrEqual(attack.family === 'format' ? 378 : 370);
      for (const { prompt, after } of attacked)
        expect(after?.split('\n').filter(isCodeLine)).toEqual([assertLine(prompt)]);
    }
  },
);
