/**
 * Carries out the recipes of docs/extending.md in a copy of the project, one after the other, with the files that
 * each names and no other. The results compile, keep the contract of every registry, and run: a new study on a new
 * format at a new provider.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulatedProfile } from '../../simulator/profile.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { type CommandEnd, endOf, startProgram } from '../support/command.ts';
import { repository } from '../support/doc-commands.ts';
import { inFull, long } from '../support/forms/long.ts';
import { carryOut, recipes } from '../support/recipes.ts';

let copy = '';
const closing: (() => Promise<unknown>)[] = [];

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: copy, encoding: 'utf8', maxBuffer: 1e8 });
const inCopy = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandEnd> =>
  endOf(startProgram(args, { cwd: copy, env: { ...process.env, ...env } }));
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  inCopy([join(copy, 'cli', 'main.ts'), ...args], { AZURE_KEY: key, EVENKEEL_RUNS: join(copy, 'runs') });

/** Uncommitted files are copied too: this tests the working tree. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'evenkeel-extending-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(repository, file), join(copy, file));
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  git('init', '--quiet');
  appendFileSync(join(copy, '.git', 'info', 'exclude'), 'node_modules\nruns\n');
  git('add', '--all');
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
});

/** Since the last `git add`. */
const touched = (): string[] =>
  git('ls-files', '--modified', '--others', '--exclude-standard').split('\n').filter(Boolean).toSorted();
const generated = ['docs/spec.md', 'docs/tables.md', 'schemas/spec.schema.json'];

test.each(recipes())('$title: changes the files that it names, and no other', async (recipe) => {
  carryOut(recipe, copy);
  const named = [...new Set(recipe.edits.map(({ file }) => file))].toSorted();
  const before = touched();
  const made = await inCopy(['scripts/spec-files.ts']);
  const after = touched();
  git('add', '--all');
  expect(before).toEqual(named);
  expect(made.status, made.output).toBe(0);
  expect(after.filter((file) => !named.includes(file) && !generated.includes(file))).toEqual([]);
});

test('together they compile', async () => {
  const compiled = await inCopy(['node_modules/typescript/bin/tsc', '--noEmit']);
  expect(compiled.status, compiled.output).toBe(0);
});

const vitest = (...args: readonly string[]): Promise<CommandEnd> =>
  inCopy(['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...args]);

test('what they add keeps the contract of every registry, and their own tests pass', async () => {
  const registries = await vitest(
    'test/contract/registries.test.ts',
    'test/contract/studies.test.ts',
    'test/studies/instruction-effect.test.ts',
  );
  expect(registries.status, registries.output.slice(-6_000)).toBe(0);
  expect(registries.output).toMatch(/Test Files .*3 passed/);
  const provider = await vitest('test/activities/providers/contract.test.ts', '-t', '^azure answers');
  expect(provider.status, provider.output.slice(-6_000)).toBe(0);
});

const key = 'sk-azure-1';
const tasks = Array.from({ length: 4 }, (_, number) => ({
  id: `Mine/${number}`,
  question: `Add ${number} to the given number and give back what comes of it.`,
  function: `plus_${number}`,
  solution: `def plus_${number}(value):\n    return value + ${number}\n`,
  calls: [0, 5, -2].map((value) => ({ args: [value], gives: value + number })),
}));

/** Simulated models behind an endpoint that takes its key as Azure does. */
async function startAzure(): Promise<string> {
  const known = tasks.map((task) => ({
    ...{ taskId: task.id, entryPoint: task.function, description: task.question, reference: task.solution },
    wrong: [`def ${task.function}(value):\n    return None\n`],
  }));
  const models = [{ name: 'far', profile: simulatedProfile({ competence: 0.5 }) }];
  const simulator = await startSimulatorServer({ models, tasks: known, port: 0 });
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer().catch(() => response.destroy()));
    const answer = async (): Promise<void> => {
      const isKnown = request.headers['api-key'] === key && request.headers.authorization === undefined;
      if (!isKnown) {
        response.writeHead(401).end('{"error": {"message": "no api-key"}}');
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const reply = await fetch(`${simulator.url.replace(/\/v1$/, '')}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': 'application/json' },
        ...(body !== '' && { body }),
      });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(simulator.close, () => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

long(`study, metric, format and provider run, are reported and are exported${inFull}`, async () => {
  const spec = join(copy, 'extended.yaml');
  writeFileSync(join(copy, 'mine.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  writeFileSync(
    spec,
    `name: extended
providers: { az: { kind: azure, baseUrl: "${await startAzure()}", apiKeyEnv: AZURE_KEY } }
models:
  - { id: near, provider: simulated, profile: { competence: 1 } }
  - { id: far, provider: az, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } }
benchmarks: { mine: { format: calls, path: mine.jsonl } }
studies: [{ name: sentence, kind: instruction, benchmark: mine, repetitions: 2 }]
`,
  );
  const run = await evenkeel('run', spec);
  expect(run.status, run.output).toBe(0);
  const report = await evenkeel('report', 'extended', '--format', 'md');
  expect(report.status, report.output).toBe(0);
  const markdown = readFileSync(join(copy, 'runs', 'extended', 'report.md'), 'utf8');
  expect(markdown).toContain('Answers that pass, with and without the sentence');
  expect(markdown).toContain('What the sentence changes');
  // Two answers to each of four tasks, all right.
  expect(markdown).toMatch(/\| near[^|]*\| plain *\| 100\.0 ?% *\| 8 *\|/);
  const effects = await evenkeel(
    'query',
    'extended',
    'SELECT model, effect, n FROM instruction_effects ORDER BY model',
    '--json',
  );
  const { rows } = JSON.parse(effects.stdout) as { rows: unknown[][] };
  expect(rows.map(([model, , n]) => [model, Number(n)])).toEqual([
    ['far', 4],
    ['near', 4],
  ]);
  expect(rows[1]?.[1]).toBe(0);
  // Two models, four tasks, two prompts, two repetitions: a study that says nothing of its answers counts all.
  const answers = 'SELECT kind, detail, phrasing, count(*)::INT FROM answers WHERE counted GROUP BY ALL';
  const flat = await evenkeel('query', 'extended', answers, '--json');
  expect(JSON.parse(flat.stdout)).toMatchObject({ rows: [['instruction', 'original', 'original', 32]] });
  const wrong =
    "SELECT DISTINCT model, failing_input, got, request_id IS NOT NULL FROM answers WHERE outcome = 'wrong_output'";
  const failed = await evenkeel('query', 'extended', wrong, '--json');
  // The simulated server gives ids; its wrong programs give None, already for the first case.
  expect(JSON.parse(failed.stdout)).toMatchObject({ rows: [['far', '[0]', 'null', true]] });
  const page = join(copy, 'runs', 'page.html');
  const html = await evenkeel('report', 'extended', '--out', page);
  expect(html.status, html.output).toBe(0);
  expect(readFileSync(page, 'utf8')).toContain('What the sentence changes, from -1 to 1');
  const exported = await evenkeel(
    'export',
    'extended',
    '--format',
    'replay',
    '--out',
    join(copy, 'runs', 'answers.jsonl'),
    '--model',
    'far',
  );
  expect(exported.status, exported.output).toBe(0);
  // Four tasks, two prompts, two repetitions.
  expect(
    readFileSync(join(copy, 'runs', 'answers.jsonl'), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(16);
});

test('language: its MXEVAL file is read, and its programs are found in replies', async () => {
  writeFileSync(
    join(copy, 'look.ts'),
    `import { benchmarkFormats } from './domain/benchmarks/index.ts';
import { lastDefining } from './domain/extraction/rules/last-defining.ts';
const record = { task_id: 'MBTSP/2', prompt: 'function addOne(x: number): number {\\n', entry_point: 'addOne',
  canonical_solution: null, test: 'let x0 = addOne(1);', language: 'typescript' };
const task = benchmarkFormats.mxeval.parseRecord(record, { file: 'mbtsp.jsonl', line: 1, index: null });
const code = 'export function addOne(x: number): number {\\n  return x + 1;\\n}\\nconsole.log(addOne(1));\\n';
const found = lastDefining.code('Here:\\n\\n\`\`\`ts\\n' + code + '\`\`\`\\n', task);
process.stdout.write(JSON.stringify([task.taskId, task.language, task.suites[0]?.script?.cases.length, found.code]));
`,
  );
  const end = await inCopy(['look.ts']);
  expect(end.status, end.output).toBe(0);
  expect(JSON.parse(end.stdout)).toEqual([
    'MBPP/2',
    'typescript',
    1,
    'function addOne(x: number): number {\n  return x + 1;\n}\n',
  ]);
});
