/** One vitest project as a stage, with the tests that it skipped named in the notes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
        return { result: passed ? 'passed' : 'failed', notes: whatDidNotRun(report) };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[] }[];
}

function whatDidNotRun(file: string): string[] {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const tests = report.testResults.flatMap((result) => result.assertionResults);
    if (tests.length === 0) return ['no tests in this version'];
    return tests
      .filter((test) => ['skipped', 'pending', 'todo', 'disabled'].includes(test.status))
      .map((test) => `skipped: ${test.fullName}`);
  } catch {
    return ['no list of skipped tests: vitest wrote no report'];
  }
}
