/** Takes each promise of a store on servers away, in a copy of the project, and expects its test to be red. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { findPostgres } from '../../scripts/cluster/postgres-server.ts';
import { type Guarantee, guarantees } from '../support/guarantees/guarantees.ts';

const left = new Set(['.git', 'node_modules', 'dist', 'coverage']);
const hasServers = findPostgres() !== null;
const reason = hasServers ? '' : ' (skipped: no PostgreSQL 15 or newer)';
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'evenkeel-without-'));
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.runIf(hasServers)(`with all of them, every test is green${reason}`, { timeout: 1_800_000 }, async () => {
  const files = new Set(guarantees.map((guarantee) => guarantee.test));
  expect((await failing([...files])).names).toEqual([]);
});

test.runIf(hasServers).each(guarantees)(`$promise${reason}`, { timeout: 600_000 }, async (guarantee) => {
  const path = join(copy, guarantee.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(guarantee.line, () => guarantee.without),
  );
  try {
    const { names, output } = await failing([guarantee.test], guarantee);
    expect(names, output).toContain(guarantee.name);
  } finally {
    writeFileSync(path, text);
  }
});

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Names of tests that are red in the copy. */
async function failing(
  files: readonly string[],
  only?: Guarantee,
): Promise<{ readonly names: readonly string[]; readonly output: string }> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const output = await vitest([
    ...['run', '--project', 'stores', '--reporter', 'json', '--outputFile', report, ...files],
    ...(only === undefined ? [] : ['--testNamePattern', escaped(only.name)]),
  ]);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { names: results.filter(({ status }) => status === 'failed').map(({ title }) => title), output };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Its output, however it ends. */
function vitest(args: readonly string[]): Promise<string> {
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = {
    ...process.env,
    EVENKEEL_REQUIRE: 'temporal,postgres,objects',
    EVENKEEL_TESTS: 'full',
    VITEST: undefined,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...args], { cwd: copy, env }, (_error, out, err) => resolve(`${out}${err}`)),
  );
}
