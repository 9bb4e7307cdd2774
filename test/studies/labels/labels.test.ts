import { describe, expect, it } from 'vitest';
import { personAgreement } from '../../../studies/labels/person-agreement.ts';
import type { Row } from '../../../schemas/tables.ts';
import { readLabels, sampleLine, sampleOf } from '../../../studies/labels/sample.ts';

const taxonomy = {
  version: 'two',
  categories: [
    {
      id: '1',
      name: 'First',
      themes: [
        { id: '1.1', name: 'Goal', meaning: 'm' },
        { id: '1.2', name: 'Input', meaning: 'm' },
      ],
    },
  ],
};
const prompts = Array.from({ length: 30 }, (_, index) => ({
  study: 's',
  taskId: `T/${index}`,
  variant: 'summary-10',
  text: `text ${index}`,
}));
const known = (study: string) => (study === 's' ? taxonomy : undefined);

describe('sample for a person', () => {
  it('is drawn by seed, without repetition, and has every summary if there are fewer', () => {
    const sample = sampleOf(prompts, 10, 1);
    expect(new Set(sample.map(({ taskId }) => taskId)).size).toBe(10);
    expect(sampleOf(prompts, 10, 1)).toEqual(sample);
    expect(sampleOf(prompts, 10, 2)).not.toEqual(sample);
    expect(sampleOf(prompts.slice(0, 3), 10, 1)).toHaveLength(3);
  });

  it('is read with numbers or whole choices; unchanged lines are not labelled', () => {
    const [first = '', second = '', third = ''] = sampleOf(prompts, 3, 1).map((prompt) => sampleLine(prompt, taxonomy));
    expect(JSON.parse(first)).toMatchObject({ themes: null, choices: ['1.1 Goal', '1.2 Input'] });
    const filled = [
      first.replace('"themes":null', '"themes":["1.2 Input","1.1"]'),
      second,
      third.replace('"themes":null', '"themes":[]'),
    ];
    const labels = readLabels(`${filled.join('\n')}\n`, 'x.jsonl', known);
    expect(labels.map(({ themes }) => [...themes])).toEqual([['1.2', '1.1'], []]);
  });

  it('may come from an editor that writes a byte order mark and carriage returns', () => {
    const line = JSON.stringify({ study: 's', task_id: 'T/1', variant: 'summary-10', themes: ['1.1'] });
    expect(readLabels(`\uFEFF${line}\r\n`, 'x.jsonl', known)).toHaveLength(1);
  });

  it('is refused with file and line where it breaks a rule', () => {
    const line = JSON.stringify({ study: 's', task_id: 'T/1', variant: 'summary-10', themes: ['9.9'] });
    expect(() => readLabels(`\n${line}`, 'x.jsonl', known)).toThrow(/no theme "9.9" in taxonomy two/);
    expect(() => readLabels('{', 'x.jsonl', known)).toThrow(/not JSON/);
    expect(() => readLabels('{"reply":"x"}', 'x.jsonl', known)).toThrow(
      /invalid labelled line: .*; themes: expected array, received undefined; each line must be from `evenkeel export/,
    );
    expect(() => readLabels(line.replace('"s"', '"other"'), 'x.jsonl', known)).toThrow(/no study "other"/);
  });
});

describe('a labelled file that does not fit', () => {
  const line = (task: string, themes: readonly string[] | null, more: object = {}): string =>
    JSON.stringify({ study: 's', task_id: task, variant: 'summary-10', themes, ...more });
  const read = (...lines: readonly string[]) => readLabels(lines.join('\n'), 'x.jsonl', known);

  // Red before: the prompt counted twice.
  it.each([
    ['the same', ['1.1 Goal']],
    ['other', ['1.2']],
    ['other', []],
  ])('labels a prompt twice, with %s themes: %j', (which, themes) => {
    expect(() => read(line('T/1', ['1.1']), line('T/2', ['1.1']), '', line('T/1', themes))).toThrow(
      `x.jsonl:4  labels the same prompt as line 1, with ${which} themes (task T/1, variant summary-10, study s): ` +
        'remove one of the two lines',
    );
  });

  it('may hold the prompt once more with null, which is no label', () => {
    expect(read(line('T/1', null), line('T/1', ['1.1']), line('T/1', null))).toMatchObject([
      { taskId: 'T/1', line: 2 },
    ]);
  });

  // Red before: labels of another taxonomy were compared theme id by theme id.
  it('was labelled with another taxonomy', () => {
    expect(read(line('T/1', ['1.1'], { taxonomy: 'two' }))).toHaveLength(1);
    expect(() => read(line('T/1', ['1.1']), line('T/2', ['1.1'], { taxonomy: 'other' }))).toThrow(
      'x.jsonl:2  taxonomy  labelled with taxonomy "other"; the run\'s labels of study "s" are of "two": ' +
        'label a sample that is exported from this run',
    );
  });
});

describe('agreement with a person', () => {
  const label = (task: string, pass: number, theme: string | null, reason: string | null = null): Row => ({
    ...{ task_id: task, variant: 'summary-10', labeller: 'l', pass, theme, reason },
  });
  const person = ['T/1', 'T/2', 'T/3'].map((taskId, index) => ({
    ...{ study: 's', taskId, variant: 'summary-10', themes: new Set(index === 2 ? [] : ['1.1']) },
  }));
  const rows = personAgreement(
    's',
    person,
    [label('T/1', 0, '1.1'), label('T/2', 0, '1.2'), label('T/3', 0, null), label('T/1', 1, null, 'no answer')],
    taxonomy,
  );
  const of = (run: string, theme: string | null) => rows.find((row) => row.run === run && row.theme === theme);

  it('is counted by hand: of theme 1.1, two of three the same', () => {
    expect(of('l, pass 0', '1.1')).toMatchObject({ n: 3, same: 2 });
    // (2/3 - (2/3 1/3 + 1/3 2/3)) / (1 - 4/9) = 0.4
    expect(of('l, pass 0', '1.1')?.kappa).toBeCloseTo(0.4, 12);
    expect(of('l, pass 0', null)).toMatchObject({ n: 6, same: 4 });
  });

  it('excludes what a run did not label', () => {
    expect(of('l, pass 1', '1.1')).toMatchObject({ n: 0, kappa: null, alpha: null });
  });
});
