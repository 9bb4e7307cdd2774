/** One vitest project as a stage; its notes list the skipped and failed tests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';
import { drawSeeds } from './seeds.ts';
import { type Stage, succeeds } from './stage.ts';
import { longFiles } from '../test/support/forms/long-files.ts';

/**
 * `secondTry`: files with failed tests run once more, by themselves. What passes then is named in the notes and does
 * not fail the stage: on a machine under load, a server, a browser or a timer is late one day.
 */
export function vitestStage(project: string, { secondTry = false } = {}): Stage {
  return {
    name: `${project} tests`,
    run: async () => {
      drawSeeds(process.env);
      const first = await runProject(project, []);
      if (first.passed || !secondTry) return end(first.passed, first.notes);
      const files = first.failedFiles;
      if (files.length === 0 || files.length > mostTriedAgain) return end(false, first.notes);
      console.log(`\n== ${project} tests, once more: ${files.join(', ')}`);
      const second = await runProject(project, files);
      const notes = first.notes.map((note) => (second.passed ? note.replace(/^FAILED:/, 'FAILED ONCE:') : note));
      return end(second.passed, notes);
    },
  };
}

/** More failed files than this are no accident. */
const mostTriedAgain = 3;

const end = (passed: boolean, notes: readonly string[]) => ({ result: passed ? 'passed' : 'failed', notes }) as const;

interface ProjectEnd {
  readonly passed: boolean;
  readonly notes: readonly string[];
  /** Relative to the root. */
  readonly failedFiles: readonly string[];
}

/** `files`: only these; empty means all. */
async function runProject(project: string, files: readonly string[]): Promise<ProjectEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
  const report = join(folder, 'report.json');
  const args = [
    'run',
    ...files,
    '--project',
    project,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  try {
    const passed = await succeeds('vitest', args);
    return { passed, ...readReport(project, report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
function readReport(project: string, file: string): Omit<ProjectEnd, 'passed'> {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const tests = testResults.flatMap((result) => result.assertionResults);
    if (testResults.length === 0) return { notes: ['no tests in this version'], failedFiles: [] };
    const failedFiles = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
    return { notes: [...skipped(tests), ...leftOut(project), ...testResults.flatMap(failed)], failedFiles };
  } catch {
    return { notes: ['no list of skipped and failed tests: vitest wrote no report'], failedFiles: [] };
  }
}

function skipped(tests: readonly TestResult[]): string[] {
  const out = tests.filter((test) => ['skipped', 'pending', 'todo', 'disabled'].includes(test.status));
  const groups = Map.groupBy(out, (test) => test.ancestorTitles.join(' ') || test.fullName);
  return [...groups].map(
    ([group, { length, 0: only }]) => `skipped: ${length === 1 ? only?.fullName : `${group}: ${length} tests`}`,
  );
}

function leftOut(project: string): string[] {
  if (process.env['EVENKEEL_TESTS'] !== 'short') return [];
  return longFiles
    .filter((name) => name.startsWith(`test/${project}/`))
    .map((name) => `left out: ${name} (part of npm run test:full)`);
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
