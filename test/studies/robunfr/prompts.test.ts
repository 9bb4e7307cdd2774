import { expect, test } from 'vitest';
import { conditions, robunfrKinds } from '../../../studies/robunfr/conditions.ts';
import { dimensionsOf, publishedDimensions } from '../../../studies/robunfr/dimensions.ts';
import { promptProgramFaults, promptPrograms, workflowMessages } from '../../../studies/robunfr/prompt-program.ts';

const { derivative, figure4 } = promptPrograms;
const problem = 'def half(x):\n    """Halve x, e.g. {problem} and $& stay."""\n';

test('table 1: four dimensions of ten different phrasings each', () => {
  expect(publishedDimensions.map(({ name }) => name)).toEqual(['design', 'readability', 'reliability', 'performance']);
  for (const { phrasings } of publishedDimensions) expect(new Set(phrasings).size).toBe(10);
  const all = publishedDimensions.flatMap(({ phrasings }) => phrasings);
  expect(new Set(all).size).toBe(40);
  expect(all.filter((phrasing) => phrasing !== phrasing.trim() || phrasing.endsWith('.'))).toEqual([]);
});

test.each([
  ['reliability', 0, 'Incorporate various error handling techniques'],
  ['reliability', 9, 'Develop a range of error handling solutions'],
  ['design', 1, 'Minimize code smell'],
  ['readability', 5, 'Focus on readability'],
  ['performance', 4, 'Keep performance in mind while solving'],
])('the phrasing of %s in line %i of table 1 is "%s"', (name, line, phrasing) => {
  expect(publishedDimensions.find((dimension) => dimension.name === name)?.phrasings[line]).toBe(phrasing);
});

test('Function-Only is the problem alone, without an instruction', () => {
  expect(workflowMessages(derivative, 'function-only', { problem })).toEqual([{ role: 'user', content: problem }]);
});

test('NFR-Integrated puts the phrasing before the problem, NFR-Enhanced the problem before phrasing and code', () => {
  const parts = { problem: 'P', phrasing: 'Minimize code smell', code: 'C' };
  const text = (workflow: 'nfr-integrated' | 'nfr-enhanced') =>
    workflowMessages(derivative, workflow, parts).map(({ content }) => content);
  expect(text('nfr-integrated')).toEqual(['Minimize code smell and complete the following code:\nP']);
  expect(text('nfr-enhanced')).toEqual(['Problem:\nP\n\nMinimize code smell and improve the following code:\nC']);
});

test("the figure's simpler form shows the code without the problem", () => {
  const [message] = workflowMessages(figure4, 'nfr-enhanced', {
    problem: 'P',
    phrasing: 'Focus on readability',
    code: 'C = 1',
  });
  expect(message?.content).toBe(
    'Given the following code, your goal is to improve it by considering: Focus on readability.\n' +
      '## Input:\nC = 1\n## Response:',
  );
});

test('placeholders and dollar signs inside the parts are left unchanged', () => {
  const [message] = workflowMessages(derivative, 'nfr-enhanced', {
    problem,
    phrasing: 'Use {code}',
    code: 'f"{phrasing} $1"',
  });
  expect(message?.content).toBe(`Problem:\n${problem}\n\nUse {code} and improve the following code:\nf"{phrasing} $1"`);
});

test('a part that the text needs but nobody gives is an error', () => {
  expect(() => workflowMessages(derivative, 'nfr-enhanced', { problem, phrasing: 'x' })).toThrow(
    'nfr-enhanced uses {code}, but no value is given',
  );
});

test('the shipped programs have no faults; faults of a new one say what it lacks or must not have', () => {
  expect(Object.values(promptPrograms).flatMap(promptProgramFaults)).toEqual([]);
  const own = {
    'function-only': 'Solve {problem} well: {phrasing}',
    'nfr-integrated': '{problem}',
    'nfr-enhanced': '{problem} {phrasing}',
  };
  expect(promptProgramFaults(own)).toEqual([
    'function-only cannot use {phrasing}: it has no value there',
    'nfr-integrated has no {phrasing}',
    'nfr-enhanced has no {code}',
  ]);
});

test("a spec's dimensions: published ones by name, with further phrasings, or new ones, in order", () => {
  const own = { name: 'security', phrasings: ['Guard against hostile input'] };
  const [security, design, reliability] = dimensionsOf([
    own,
    { name: 'design', add: ['Keep the design clean'] },
    'reliability',
  ]);
  expect(security).toEqual(own);
  expect(design?.phrasings.slice(9)).toEqual(['Optimize code to avoid code smell', 'Keep the design clean']);
  expect(reliability).toBe(publishedDimensions[2]);
});

test.each([
  [
    'an unknown name',
    ['securty'],
    'unknown dimension securty; use one of design, readability, reliability, performance',
  ],
  ['further phrasings for an unknown name', [{ name: 'x', add: ['Do'] }], 'unknown dimension x; use one of'],
  ['a name twice', ['design', { name: 'design', phrasings: ['Do'] }], 'duplicate dimension design'],
  ['a phrasing twice', [{ name: 'design', add: ['Minimize code smell'] }], "duplicate phrasing 'Minimize code smell'"],
])('%s is refused', (_, wanted, message) => {
  expect(() => dimensionsOf(wanted)).toThrow(message);
});

test('the paper asks 40 times for each workflow, and repeats Function-Only ten times', () => {
  const sizes = robunfrKinds.map((kind) => [kind, conditions(kind, publishedDimensions, 10).length]);
  expect(Object.fromEntries(sizes)).toEqual({
    'robunfr-prompts': 50,
    'robunfr-regression': 50,
    'robunfr-workflows': 90,
  });
});

test('phrasing i improves repetition i, starting over if there are fewer', () => {
  const dimension = { name: 'speed', phrasings: ['A', 'B', 'C'] };
  const enhanced = conditions('robunfr-workflows', [dimension], 2).filter(
    ({ workflow }) => workflow === 'nfr-enhanced',
  );
  expect(enhanced.map(({ variant, phrasing, repetition }) => [variant, phrasing, repetition])).toEqual([
    ['speed-01', 'A', 0],
    ['speed-02', 'B', 1],
    ['speed-03', 'C', 0],
  ]);
});

test('Function-Only comes first, under the name of the unchanged prompt', () => {
  const [first, second, third] = conditions('robunfr-prompts', [{ name: 'speed', phrasings: ['A'] }], 2);
  const baseline = { workflow: 'function-only', variant: 'original', dimension: null, phrasing: null };
  expect([first, second]).toEqual([
    { ...baseline, repetition: 0 },
    { ...baseline, repetition: 1 },
  ]);
  expect(third).toEqual({
    workflow: 'nfr-integrated',
    variant: 'speed-01',
    dimension: 'speed',
    phrasing: 'A',
    repetition: 0,
  });
});
