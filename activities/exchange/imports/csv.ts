/**
 * CSV with named columns (RFC 4180, a header first). The column says what a text is: `reply`, `completion` (a
 * continuation) or `solution` (a program). A solution counts before a completion, and that before a reply.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { utf8Text } from '../../../domain/spec/utf8-text.ts';
import type { RecordedVerdict } from '../../../schemas/chat.ts';
import { allSuites, type Holds, type ImportedAnswer, type ImportPlace, type ReadAnswers } from './import-format.ts';
import { boundedBytes } from './json-file.ts';

const longestFile = 500 * 1024 * 1024;
const texts = { solution: 'program', completion: 'continuation', reply: 'reply' } as const satisfies Record<
  string,
  Holds
>;
const usual = ['task_id', ...Object.keys(texts), 'model', 'sample', 'finish_reason', 'passed'];

interface NumberedAnswer {
  readonly answer: ImportedAnswer;
  readonly sample: number;
  readonly isNumbered: boolean;
  /** As `export` names it. */
  readonly study: string | undefined;
}

interface CsvRow {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
}

export const readCsv: ReadAnswers = async function* ({ path, columns }) {
  const { rows, header } = recordsOf(utf8Text(await boundedBytes(path, longestFile), path), path);
  refuseTwice(header, path);
  refuseUnknown(columns, header, path);
  const nameOf = (column: string): string => columns.get(column) ?? column;
  if (!header.includes(nameOf('task_id')))
    throw new InputError(`has no column ${nameOf('task_id')}; its columns: ${header.join(', ')}`, {
      file: path,
      line: 1,
    });
  if (!Object.keys(texts).some((column) => header.includes(nameOf(column))))
    throw new InputError(
      `has none of the columns ${Object.keys(texts).map(nameOf).join(', ')}; its columns: ${header.join(', ')}. ` +
        'Name the right one, such as --columns solution=code',
      {
        file: path,
        line: 1,
      },
    );
  const answers = rows.map(({ record, line }) => {
    const field = (column: string): string | undefined => record[nameOf(column)] || undefined;
    return {
      answer: answerOf(field, record, { file: path, line }),
      sample: sampleOf(field('sample'), { file: path, line }),
      isNumbered: field('sample') !== undefined,
      study: record['study'],
    };
  });
  refuseSameSamples(answers);
  for (const { answer } of answers.toSorted((a, b) => a.sample - b.sample)) yield answer;
};

function recordsOf(text: string, file: string): { readonly rows: CsvRow[]; readonly header: readonly string[] } {
  let header: readonly string[] = [];
  try {
    const rows = parse<{ readonly record: Record<string, string>; readonly info: { readonly lines: number } }>(text, {
      ...{ bom: true, info: true, skip_empty_lines: true },
      columns: (names: string[]) => {
        header = names;
        return names;
      },
    });
    // A record ends at the line that the parser counts, and begins after the one before.
    const lineOf = (index: number): number => (rows[index - 1]?.info.lines ?? 1) + 1;
    return { header, rows: rows.map(({ record }, index) => ({ record, line: lineOf(index) })) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InputError(`is not valid CSV: ${error.message}`, { file });
  }
}

/** Only the last of two columns with one name would be read. */
function refuseTwice(header: readonly string[], file: string): void {
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new InputError(`has two columns ${twice}: rename or remove one`, { file, line: 1 });
}

function refuseUnknown(columns: ReadonlyMap<string, string>, header: readonly string[], file: string): void {
  for (const [column, name] of columns) {
    if (!usual.includes(column) && !column.startsWith('passed_'))
      throw new InputError(`unknown column "${column}"; ${knownHint(column, usual)}`, { field: '--columns' });
    if (!header.includes(name))
      throw new InputError(`has no column ${name}; ${knownHint(name, header)}`, { file, line: 1 });
  }
}

function answerOf(
  field: (column: string) => string | undefined,
  record: Readonly<Record<string, string>>,
  at: ImportPlace,
): ImportedAnswer {
  const taskId = field('task_id');
  if (taskId === undefined) throw new InputError('is empty', { ...at, field: 'task_id' });
  const [[column, holds] = ['reply', 'reply'] as const, left] = Object.entries(texts).filter(
    ([name]) => field(name) !== undefined,
  );
  const suites = Object.keys(record).filter((name) => name.startsWith('passed_'));
  const recorded = [
    ...verdict('passed', allSuites, field('passed'), at),
    ...suites.flatMap((name) => verdict(name, name.slice('passed_'.length), field(name), at)),
  ];
  const [model, finishReason] = [field('model'), field('finish_reason')];
  return {
    ...{ taskId, at, text: field(column) ?? '', holds },
    ...(left !== undefined && { left: left[0] }),
    ...(model !== undefined && { model }),
    ...(finishReason !== undefined && { finishReason }),
    ...(recorded.length > 0 && { recorded }),
  };
}

const yes = new Set(['true', '1', 'pass', 'passed', 'yes']);
const no = new Set(['false', '0', 'fail', 'failed', 'no']);

function verdict(column: string, suite: string, text: string | undefined, at: ImportPlace): RecordedVerdict[] {
  const word = text?.trim().toLowerCase();
  if (word === undefined) return [];
  if (!yes.has(word) && !no.has(word))
    throw new InputError(`expected true or false, got "${text}"`, { ...at, field: column });
  return [{ by: 'csv', suite, passed: yes.has(word) }];
}

/** The number of a sample of a task counts once, for each model. */
function refuseSameSamples(answers: readonly NumberedAnswer[]): void {
  const places = new Map<string, Pick<ImportedAnswer, 'at'> & Pick<NumberedAnswer, 'study'>>();
  for (const { answer, sample, isNumbered, study } of answers) {
    if (!isNumbered) continue;
    const key = JSON.stringify([answer.taskId, answer.model ?? null, sample]);
    const first = places.get(key);
    if (first !== undefined) {
      const rule = `sample ${sample} of ${answer.taskId} is also in line ${first.at.line}: number each sample once`;
      throw new InputError(rule + studiesText(first.study, study), { ...answer.at, field: 'sample' });
    }
    places.set(key, { at: answer.at, study });
  }
}

/** Each study of a run has its own samples of a task. */
function studiesText(first: string | undefined, second: string | undefined): string {
  if (!first || !second || first === second) return '';
  return `; the lines are of studies ${first} and ${second}, and a file holds one: export the run with --study NAME`;
}

/** Without numbers, the samples of a task are in the order of the file. */
function sampleOf(text: string | undefined, at: ImportPlace): number {
  if (text === undefined) return 0;
  if (!/^\d{1,9}$/.test(text))
    throw new InputError(`expected a number from 0, got "${text}"`, { ...at, field: 'sample' });
  return Number(text);
}
