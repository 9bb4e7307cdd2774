import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedPages, resultPages } from '../../bench/pages.ts';
import { readMachines, readTopics, type ResultTopic } from '../../bench/results.ts';

const topic: ResultTopic = {
  page: 'docs/x.md',
  title: 'Speed',
  intro: ['How fast.'],
  rows: [
    {
      id: 'a',
      what: 'Answers',
      wanted: '5/s',
      command: 'npm run bench -- answers',
      limit: 'The disk.',
      measurements: [
        { date: '2026-01-01', machine: 'old', commit: null, value: '3/s' },
        { date: '2026-01-02', machine: 'new', commit: 'abc1234', value: '7/s', note: 'A quiet day.' },
      ],
      notes: ['Tried: nothing.'],
    },
  ],
  sections: [],
};

test.each(generatedPages())(
  '$path is what bench/results/ says; when it is not: npm run bench -- pages',
  ({ path, text }) => {
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text);
  },
);

test('a page gives target, last figure, command and limit, and the machine of that figure only', () => {
  const [page] = resultPages([topic], { old: 'an old one', new: 'a new one' });
  expect(page?.text).toContain(
    '- Target: 5/s.\n- Current: **7/s** (2026-01-02, machine `new`, commit abc1234). A quiet day.\n' +
      '- Limit: The disk.\n',
  );
  expect(page?.text).toContain('npm run bench -- answers');
  expect(page?.text).not.toMatch(/3\/s|an old one|Tried/);
});

test('ids are unique, machines are known, and measurements with a date are in order', () => {
  const rows = readTopics().flatMap(({ rows: all }) => all);
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const machines = new Set(Object.keys(readMachines()));
  expect(rows.flatMap(({ measurements }) => measurements.filter(({ machine }) => !machines.has(machine)))).toEqual([]);
  const dates = rows.map(({ measurements }) => measurements.flatMap(({ date }) => date ?? []));
  expect(dates).toEqual(dates.map((own) => own.toSorted()));
});
