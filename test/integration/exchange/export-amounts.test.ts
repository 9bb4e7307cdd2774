import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExportFormatName, exportFormats } from '../../../activities/exchange/export-formats.ts';
import { runCommand } from '../../support/command.ts';
import { smallRun } from '../../support/small-run.ts';

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-amounts-'));
  await smallRun(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lineCount = (text: string): number => text.split('\n').length - 1;
/** How many rows a file of the format has, by its own syntax; the others are compared with `evalplus`. */
const rowsIn: Partial<Record<ExportFormatName, (text: string) => number>> = {
  replay: lineCount,
  variants: lineCount,
  'label-sample': lineCount,
  evalplus: lineCount,
  'evalplus-results': (text) => text.split('"base_status"').length - 1,
  junit: (text) => text.split('<testcase ').length - 1,
};

/** All answers, also those that describe code. */
async function rowsOfParquet(file: string): Promise<number> {
  const connection = await DuckDBConnection.create();
  const rows = await connection.runAndReadAll(`select count(*)::int from read_parquet('${file}')`);
  connection.closeSync();
  return Number(rows.getRows()[0]?.[0]);
}

// Red before: texts and folders said only "wrote PATH", and no format said how large it is.
test.each(['evalplus', ...Object.keys(exportFormats)] as ExportFormatName[])(
  '%s says how much it wrote',
  async (format) => {
    const out = join(folder, `out-${format}`);
    const name = ['export', 'small', '--format', format, '--out', out, '--runs-dir', join(folder, 'runs')];
    const { stdout, output } = await runCommand(name);
    const paths = globSync('**', { cwd: out, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = paths.length > 0 ? paths.map((entry) => join(entry.parentPath, entry.name)) : [out];
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, ${bytes.toLocaleString('en-US')} bytes`;
    const said = /^wrote (?:(?<rows>\d+) (?:line|answer)s?, )?(?<size>.*) to /.exec(stdout)?.groups ?? {};
    expect(said['size'], output).toBe(size);
    const count = rowsIn[format];
    if (count !== undefined) expect(said['rows']).toBe(String(count(readFileSync(out, 'utf8'))));
    const document = JSON.parse((await runCommand([...name, '--json'])).stdout) as Record<string, unknown>;
    expect(document).toMatchObject({ format, files: files.length, bytes });
    if (format === 'parquet') expect(document['answers']).toBe(await rowsOfParquet(out));
    const isOfAnswers = exportFormats[format].kind !== 'replies' && format !== 'latex';
    expect('answers' in document).toBe(isOfAnswers);
    if (isOfAnswers && format !== 'parquet')
      expect(document['answers']).toBe(lineCount(readFileSync(join(folder, 'out-evalplus'), 'utf8')));
  },
);
