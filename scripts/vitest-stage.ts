/** One vitest project as a stage; its notes list the skipped and failed tests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';
import { type Stage, succeeds } from './stage.ts';

export function vitestStage(project: string): Stage {
  return {
    name: `${project} tests`,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
      const report = join(folder, 'report.json');
      const args = [
        'run',
        '--project',
        project,
        '--passWithNoTests',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ];
      try {
        const passed = await succeeds('vitest', args);
        return { result: passed ? 'passed' : 'failed', notes: notes(report) };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly TestResult[];
}

interface TestResult {
  readonly status: string;
  readonly title: string;
  readonly fullName: string;
  readonly ancestorTitles: readonly string[];
  readonly failureMessages: readonly string[];
}

/**
 * Failed tests with the first lines of their messages, and skipped tests by group: often only the end of a log is kept.
 */
function notes(file: string): string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const tests = testResults.flatMap((result) => result.assertionResults);
    if (testResults.length === 0) return ['no tests in this version'];
    return [...skipped(tests), ...testResults.flatMap(failed)];
  } catch {
    return ['no list of skipped and failed tests: vitest wrote no report'];
  }
}

function skipped(tests: readonly TestResult[]): string[] {
  const out = tests.filter((test) => ['skipped', 'pending', 'todo', 'disabled'].includes(test.status));
  const groups = Map.groupBy(out, (test) => test.ancestorTitles.join(' ') || test.fullName);
  return [...groups].map(
    ([group, { length, 0: only }]) => `skipped: ${length === 1 ? only?.fullName : `${group}: ${length} tests`}`,
  );
}

function failed({ name, status, message, assertionResults }: FileResult): string[] {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0 && status === 'failed') return [`FAILED: ${relative(root, name)}: ${firstLines(message)}`];
  return tests.map(
    (test) => `FAILED: ${relative(root, name)}: ${test.fullName}: ${firstLines(test.failureMessages.join('\n'))}`,
  );
}

const linesShown = 12;
const firstLines = (text: string): string =>
  stripVTControlCharacters(text).split('\n').slice(0, linesShown).join('\n    ');
