/** `import` of other tools' files of answers: a replay file, and a spec that judges it. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import { quoted } from '../../../activities/storage/files/quoted.ts';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { type Imported, importedLines } from '../../../activities/exchange/imports/as-replay.ts';
import { type ImportFormatName, importFormats } from '../../../activities/exchange/imports/import-formats.ts';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import { type BenchmarkFormatName, benchmarkFormatNames } from '../../../schemas/spec/benchmark.ts';
import type { Task } from '../../../schemas/task.ts';
import { givenSamplesStudy, mostGivenSamples } from '../../../studies/index.ts';
import { commandName } from '../../command-name.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { writeOutput } from '../../output/output-file.ts';
import type { Terminal } from '../../output/terminal.ts';
import type { ImportOptions } from './import-options.ts';
import { writeReplayFile } from './replay-output.ts';

/** A benchmark as the option `--benchmark FORMAT:PATH` names it. */
interface NamedBenchmark {
  readonly format: BenchmarkFormatName;
  readonly path: string;
  readonly tasks: readonly Task[];
}

export async function importAnswers(
  format: ImportFormatName,
  path: string,
  { compare, out, model, benchmark: named, spec, columns }: ImportOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (compare !== undefined)
    throw new InputError(
      'works only with recordings of a study; after a run, table recorded_agreement compares the verdicts of both',
      { field: '--compare' },
    );
  const benchmark = named === undefined ? null : await namedBenchmark(named);
  if (spec !== undefined && benchmark === null)
    throw new InputError('needs the benchmark that the samples answer: --benchmark FORMAT:FILE', { field: '--spec' });
  const request = { path, columns: namedColumns(columns), tasks: benchmark?.tasks ?? null };
  const imported = await importedLines(await importFormats[format].load(), request, model ?? null);
  // Before anything is written.
  const specFile =
    spec === undefined || out === undefined ? null : specOf(resolve(spec), resolve(out), imported, benchmark);
  const file = await writeReplayFile(imported.lines, out);
  const { tasks, samples, perTask, faults } = imported;
  const each = [...new Set(perTask)].join(' to ');
  terminal.out(`wrote ${counted(samples, 'sample')} of ${counted(tasks, 'task')} (${each} of each) to ${file}`);
  const [{ taskId, fault } = { taskId: '', fault: '' }] = faults;
  if (faults.length > 0)
    terminal.out(`left out ${counted(faults.length, 'sample')} without an answer, the first of ${taskId}: ${fault}`);
  const [second] = imported.withLeft;
  if (second !== undefined)
    terminal.out(
      `${counted(imported.withLeft.length, 'record')} also had a text in ${second.left}, which was left, ` +
        `the first of ${second.taskId}: remove the other field to import that instead`,
    );
  if (specFile !== null) {
    await writeOutput(specFile.path, [specFile.text]);
    for (const line of notJudged(imported)) terminal.out(line);
    terminal.out(`wrote ${specFile.path}\njudge them: ${commandName()} run ${quoted(specFile.path)}`);
  }
  terminal.document({
    ...{ format, tasks, samples, perTask, faults: faults.length, lines: imported.lines.length, file },
    spec: specFile?.path ?? null,
  });
  return exitStatus.done;
}

/** A study judges equally many samples of each task, up to a limit. */
const judgedSamples = ({ perTask: [fewest] }: Imported): number => Math.min(fewest, mostGivenSamples);

function notJudged(imported: Imported): string[] {
  const judged = judgedSamples(imported);
  const left = imported.samples - imported.tasks * judged;
  if (left === 0) return [];
  const first = judged === 1 ? 'sample' : `${judged} samples`;
  const isCapped = imported.perTask[0] > judged;
  return [
    `the spec judges the first ${first} of each task, ` +
      `${isCapped ? 'as many as a study may have' : 'since some tasks have no more'}: ` +
      `${counted(left, 'sample')} ${isCapped ? '' : 'of other tasks '}${left === 1 ? 'is' : 'are'} not judged`,
  ];
}

/** `task_id=problem,solution=code`: names of columns by their usual names. */
function namedColumns(text: string | undefined): Map<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const [usual, name] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (!pair.includes('=') || usual === '' || name === '')
        throw new InputError(`expected USUAL=NAME, such as task_id=problem; got "${pair}"`, { field: '--columns' });
      return [usual, name] as const;
    }),
  );
}

async function namedBenchmark(text: string): Promise<NamedBenchmark> {
  const [format, path] = [text.slice(0, text.indexOf(':')), resolve(text.slice(text.indexOf(':') + 1))];
  const known = benchmarkFormatNames.find((name) => name === format);
  if (known === undefined)
    throw new InputError(
      `expected FORMAT:FILE, such as humaneval-plus:HumanEvalPlus.jsonl.gz; got "${text}"; ` +
        knownHint(format, benchmarkFormatNames),
      { field: '--benchmark' },
    );
  const { tasks } = await loadBenchmark({ name: 'imported', format: known, path, seed: 0 });
  return { format: known, path, tasks };
}

/** A spec that is still to be written. */
interface SpecFile {
  readonly path: string;
  readonly text: string;
}

/** Judges every task of the file, with its samples. Throws InputError if another spec is there. */
function specOf(spec: string, replies: string, imported: Imported, benchmark: NamedBenchmark | null): SpecFile {
  const fromSpec = (path: string): string => relative(dirname(spec), path) || path;
  const name = nameOf(spec);
  const { taskIds } = imported;
  const text = stringify({
    name,
    models: [{ id: nameOf(replies), provider: 'replay', file: fromSpec(replies) }],
    benchmarks: {
      imported: {
        format: benchmark?.format,
        path: fromSpec(benchmark?.path ?? ''),
        ...(taskIds.length < (benchmark?.tasks.length ?? 0) && { tasks: { ids: [...taskIds] } }),
      },
    },
    studies: [givenSamplesStudy('imported', judgedSamples(imported))],
  });
  // A spec may have taken somebody an afternoon; the same import again is no loss.
  if (existsSync(spec) && readFileSync(spec, 'utf8') !== text)
    throw new InputError('already exists with other content, which would be lost: name another file', {
      file: spec,
      field: '--spec',
    });
  return { path: spec, text };
}

/** A file's name as a name of a spec. */
const nameOf = (file: string): string =>
  basename(file, extname(file))
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '') || 'imported';
