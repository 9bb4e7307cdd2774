/**
 * The translation chain over MXEVAL's sample, Python to PHP to Ruby to JavaScript to Perl to Python, from raw replies
 * to the tables: real Temporal server, every step tested in its own language in the container tier. Replies are
 * MXEVAL's references where they exist and pass, and written by hand elsewhere.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineNote, withoutEngine } from '../../sandbox/container/engine.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { bodyOf, functionEnds, mxevalBodies, type SolvedLanguage } from '../../support/mxeval-solutions.ts';

const files = process.env['EVENKEEL_BENCHMARK_FILES'] ?? join(import.meta.dirname, '../../../../shared/data');
const sample = join(files, 'mxeval-sample');
const sampleNote = existsSync(sample) ? '' : ` (skipped: ${sample} is not here)`;

interface Row {
  readonly task_id: string;
  readonly prompt: string;
  readonly canonical_solution: string | null;
}

const order = ['php', 'ruby', 'javascript', 'perl', 'python'] as const;
const numbers = Object.keys(mxevalBodies.perl).map(Number);
/** References of these twelve that are wrong, and all of Perl's, which MXEVAL lacks. */
const byHand: Readonly<Partial<Record<string, readonly number[]>>> = { php: [14], javascript: [2, 18], perl: numbers };

function solution(language: (typeof order)[number], number: number): string {
  const rows = readFileSync(join(sample, `${language}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const row = rows.find(({ task_id }) => task_id.endsWith(`/${number}`));
  if (row === undefined) throw new Error(`${language} has no task ${number}`);
  if (byHand[language]?.includes(number) !== true) return row.prompt + row.canonical_solution;
  return `${row.prompt}\n${bodyOf(language as SolvedLanguage, number)}\n${functionEnds[language as SolvedLanguage]}\n`;
}

const line = (number: number, step: number, reply: string): string =>
  JSON.stringify({ task_id: `MBPP/${number}`, step: 'translate', loop: step, reply });
const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** One task broken at each step, each in another way. */
const breaks: Readonly<Record<number, readonly [step: number, reply: string]>> = {
  2: [1, fenced('php', 'function similarElements($a, $b) { return []; }')],
  3: [2, fenced('ruby', 'def is_not_prime(n)\n  n +\nend end')],
  4: [3, 'I would rather not translate this.'],
  6: [4, fenced('perl', 'sub differ_at_one_bit_pos { die "no idea"; }')],
  7: [5, fenced('python', 'def find_char_long(text):\n    return text')],
};

const recording = (broken: typeof breaks | null): string =>
  numbers
    .flatMap((number) =>
      order.map((language, place) => {
        const [step, reply] = broken?.[number] ?? [];
        return line(
          number,
          place + 1,
          step === place + 1 && reply !== undefined ? reply : fenced(language, solution(language, number)),
        );
      }),
    )
    .join('\n');

const ids = [...numbers, 64].map((number) => `MBPP/${number}`).join(', ');
const benchmarkEntry = (name: string): string =>
  `  ${name}: { format: mxeval, path: ${join(sample, name)}.jsonl, tasks: { ids: [${ids}] } }`;

const spec = `
name: chained
models:
  - { id: whole, provider: replay, file: whole.jsonl }
  - { id: broken, provider: replay, file: broken.jsonl }
  - { id: sure, provider: simulated, profile: { competence: 1 } }
  - { id: lost, provider: simulated, profile: { competence: 0 } }
benchmarks:
${['python', 'php', 'ruby', 'javascript', 'perl'].map(benchmarkEntry).join('\n')}
studies:
  - { name: squares, kind: evaloop-translation, benchmark: python, extraction: last-defining,
      settings: { through: [${order.join(', ')}] } }
  - { name: counts, kind: evaloop-translation, benchmark: python, extraction: last-defining, models: [broken],
      settings: { through: [${order.join(', ')}], scoring: counts } }
  - { name: back, kind: evaloop-translation, benchmark: python, models: [sure], settings: { through: [perl, python] } }
`;

describe.skipIf(withoutEngine || sampleNote !== '')(`translation chains${engineNote}${sampleNote}`, () => {
  let deployment: Deployment;
  let end: Awaited<ReturnType<Deployment['evenkeel']>>;
  const rows = (sql: string) => deployment.rows('chained', sql);

  beforeAll(async () => {
    const engine = process.env['EVENKEEL_TEST_ENGINE'] ?? process.env['DOCKER_HOST'];
    deployment = await openDeployment({
      EVENKEEL_SANDBOX: 'container',
      ...(engine === undefined ? {} : { DOCKER_HOST: engine }),
    });
    deployment.write('whole.jsonl', recording(null));
    deployment.write('broken.jsonl', recording(breaks));
    end = await deployment.evenkeel('run', deployment.write('chained.yaml', spec));
  }, 600_000);
  afterAll(() => deployment?.close());

  test('a run of chains ends with status 0, prints them, and verify finds every cell', async () => {
    expect(end.status, end.output).toBe(0);
    expect(end.output).toContain('translation chain python > php > ruby > javascript > perl > python');
    const verified = await deployment.evenkeel('verify', 'chained');
    expect(verified.status, verified.output).toBe(0);
  });

  test('twelve tasks pass the whole chain; the thirteenth’s reference does not parse', async () => {
    expect(
      await rows(`select score, passed, n, n_start_failed, "drop" from chain_scores where model = 'whole'`),
    ).toEqual([{ score: 5, passed: [12, 12, 12, 12, 12], n: 12, n_start_failed: 1, drop: 0 }]);
    expect(await rows(`select ended_by from chains where model = 'whole' and task_id = 'MBPP/64'`)).toEqual([
      { ended_by: 'start_failed' },
    ]);
  });

  test('a chain ends where its code fails, each step in its own language and for its own reason', async () => {
    const ended = await rows(
      "select task_id, sustained_steps, ended_language, ended_outcome from chains where model = 'broken' and " +
        "study = 'squares' and ended_by in ('code_failed', 'no_code') order by sustained_steps",
    );
    expect(ended).toEqual([
      { task_id: 'MBPP/2', sustained_steps: 0, ended_language: 'php', ended_outcome: 'wrong_output' },
      { task_id: 'MBPP/3', sustained_steps: 1, ended_language: 'ruby', ended_outcome: 'syntax_error' },
      { task_id: 'MBPP/4', sustained_steps: 2, ended_language: 'javascript', ended_outcome: 'no_code' },
      { task_id: 'MBPP/6', sustained_steps: 3, ended_language: 'perl', ended_outcome: 'exception' },
      { task_id: 'MBPP/7', sustained_steps: 4, ended_language: 'python', ended_outcome: 'wrong_output' },
    ]);
    // n_0..n_5 = 1, 1, 1, 1, 1, 7: (1 + 4 + 9 + 16 + 7 x 25) / (5 x 12).
    expect(
      await rows(`select score, passed, "drop" from chain_scores where model = 'broken' and study = 'squares'`),
    ).toEqual([{ score: expect.closeTo(205 / 60, 12), passed: [11, 10, 9, 8, 7], drop: expect.closeTo(4 / 12, 12) }]);
  });

  test('with counts each step gets the code of the step before, until there is none', async () => {
    // Steps passed: 4, 4, 2 (nothing follows a reply without code), 4, 4, and 5 of the other seven.
    expect(await rows(`select score, passed from chain_scores where study = 'counts'`)).toEqual([
      { score: expect.closeTo(53 / 12, 12), passed: [11, 11, 11, 10, 10] },
    ]);
  });

  test('failures are listed by language and reason, with their tasks', async () => {
    expect(
      await rows(
        "select step, target_language, outcome, n, attempted, tasks from chain_failures where model = 'broken' " +
          "and study = 'squares' and outcome <> 'pass' order by step",
      ),
    ).toEqual([
      { step: 1, target_language: 'php', outcome: 'wrong_output', n: 1, attempted: 12, tasks: 'MBPP/2' },
      { step: 2, target_language: 'ruby', outcome: 'syntax_error', n: 1, attempted: 11, tasks: 'MBPP/3' },
      { step: 3, target_language: 'javascript', outcome: 'no_code', n: 1, attempted: 10, tasks: 'MBPP/4' },
      { step: 4, target_language: 'perl', outcome: 'exception', n: 1, attempted: 9, tasks: 'MBPP/6' },
      { step: 5, target_language: 'python', outcome: 'wrong_output', n: 1, attempted: 8, tasks: 'MBPP/7' },
    ]);
  });

  test('an always right model survives, a never right one fails at once; the order matters', async () => {
    expect(
      await rows(`select study, model, score, languages, simulated from chain_scores where simulated order by all`),
    ).toEqual([
      { study: 'back', model: 'sure', score: 2, languages: 'python > perl > python', simulated: true },
      { study: 'squares', model: 'lost', score: 0, languages: 'python > php', simulated: true },
      {
        study: 'squares',
        model: 'sure',
        score: 5,
        languages: 'python > php > ruby > javascript > perl > python',
        simulated: true,
      },
    ]);
  });

  test('the prompt has the code without its description, and the signature of the next language', async () => {
    const [prompt] = await rows(
      "select messages from prompts join samples using (prompt_sha256) where samples.model = 'whole' and task_id " +
        "= 'MBPP/2' and loop = 1 limit 1",
    );
    const [, user] = JSON.parse(String(prompt?.['messages'])) as { content: string }[];
    expect(user?.content).toBe(
      'Convert the following Python code to PHP:\n```python\ndef similar_elements(test_tup1, test_tup2):\n  res = ' +
        'tuple(set(test_tup1) & set(test_tup2))\n  return (res)\n```\nThe PHP function has this signature:\n```php\n' +
        'function similarElements($testtup1, $testtup2){\n```\nReturn only the code, without explanations or comments.',
    );
  });

  test('the report shows the chain and its failures', () => {
    const page = readFileSync(join(deployment.runsDir, 'chained', 'report.html'), 'utf8');
    expect(page).toContain('Study squares: translation chain');
    expect(page).toContain('<td>javascript</td><td>no code</td>');
  });

  test('the Markdown report shows the same', async () => {
    const file = deployment.write('report.md', '');
    expect((await deployment.evenkeel('report', 'chained', '--format', 'md', '--out', file)).status).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('## Study squares: translation chain');
    // Clopper and Pearson's interval of 1 of 10 (tables: 0.0025 to 0.4450).
    expect(text).toContain('| ruby | javascript | no code | 1 | 10 | 10.0 % (0.3 – 44.5) | MBPP/4 |');
  });
});
