/** How long `evenkeel report` takes over a run of many models and tasks, its memory, and the size of its page. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { InputError } from '../domain/errors.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { findChromium } from '../scripts/find-chromium.ts';
import { studyKinds } from '../studies/index.ts';
import { commandUsage } from './growth/command-usage.ts';
import { writeLargeRun } from './report/large-run.ts';

export interface ReportBenchOptions {
  readonly kinds: string;
  readonly models: string;
  readonly tasks: string;
  /** Holds the runs, one folder per kind; those that are there are used again. Default: a temporary folder. */
  readonly folder?: string;
}

export async function reportBench(options: ReportBenchOptions, print: (line: string) => void): Promise<void> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'evenkeel-report-'));
  try {
    for (const kind of options.kinds.split(',').map(kindNamed)) await measure(kind, join(folder, kind), options, print);
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true });
  }
}

function kindNamed(name: string): SpecStudy['kind'] {
  const kind = studyKinds.find((one) => one === name.trim());
  if (kind !== undefined) return kind;
  throw new InputError(`must be any of ${studyKinds.join(', ')}; got "${name}"`, { field: '--kinds' });
}

async function measure(
  kind: SpecStudy['kind'],
  runs: string,
  { models, tasks }: ReportBenchOptions,
  print: (line: string) => void,
): Promise<void> {
  if (existsSync(join(runs, 'large', 'manifest.json'))) print(`${kind}: the run in ${runs}`);
  else {
    const { answers, parts } = await writeLargeRun(join(runs, 'large'), {
      ...{ kind, models: Number(models), tasks: Number(tasks) },
    });
    print(`${kind}: ${models} models, ${tasks} tasks, ${answers} answers in ${parts} files`);
  }
  const page = join(runs, 'report.html');
  const usage = await commandUsage(['report', 'large', '--runs-dir', runs, '--out', page]);
  const opened = await openingMs(page);
  print(
    [
      `${usage.seconds.toFixed(1)} s (${usage.cpuS.toFixed(1)} s of processor time)`,
      `${(usage.peakBytes / 1e6).toFixed(0)} MB`,
      `page ${(statSync(page).size / 1e6).toFixed(2)} MB`,
      opened === null ? 'not opened: no Chromium' : `opens in ${opened.toFixed(0)} ms`,
    ].join(', '),
  );
}

/** From the request to the page's first frame with its script done; null without Chromium. */
async function openingMs(file: string): Promise<number | null> {
  const executablePath = findChromium(process.env);
  if (executablePath === null) return null;
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.evaluate<void>('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    return performance.now() - start;
  } finally {
    await browser.close();
  }
}
