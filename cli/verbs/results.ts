/** Verbs about the results of runs. */
import { importFormats } from '../../activities/exchange/imports/import-formats.ts';
import { importers } from '../../studies/importers.ts';
import { type DefineVerb, first, formatLines } from '../verb.ts';

const recordings = Object.keys(importers);
const importAbout: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recordings.map((name) => [name, 'trajectories that the authors of this study recorded'])),
  ...Object.fromEntries(Object.entries(importFormats).map(([name, { about }]) => [name, about])),
};

interface ImportFlags {
  readonly format: string;
  readonly out?: string;
  readonly benchmark?: string;
  readonly spec?: string;
  readonly columns?: string;
  readonly compare?: string;
  readonly model?: string;
}

export function resultsVerbs(verb: DefineVerb): void {
  readingVerbs(verb);
  explainVerb(verb);
  comparingVerbs(verb);
  importingVerbs(verb);
}

function readingVerbs(verb: DefineVerb): void {
  verb<{ shellSql?: boolean; tables?: string; limit?: string; format?: string; out?: string }>(
    'query <runs-and-sql...>',
    'query the finished results of one run or several with SQL (DuckDB), also while they run; without SQL, list the ' +
      'tables. The last argument is SQL unless it is a single word or names a run; column `run` tells rows apart',
    [
      'query nightly',
      'query nightly --tables loops',
      'query nightly "select model, asl, asl_lo, asl_hi from asl order by asl desc"',
      'query nightly "select model, avg(passed::int) from answers where counted group by model"',
      'query nightly last-week "select run, count(*) from answers group by run"',
      'query nightly "from answers" --format parquet --out answers.parquet',
      'query nightly --shell-sql',
    ],
    (command) =>
      command
        .usage('[options] <run> [<run>...] [sql]')
        .option('--tables <name>', 'show the columns of one table, with their units and meaning')
        .option(
          '--limit <rows>',
          'maximum number of rows (default: 100000 as text; with --json, a query with more rows is refused)',
        )
        .option('--format <format>', 'text, csv, json (a list of objects), md or parquet (default: text)')
        .option('--out <file>', 'write the rows to this file')
        .option('--shell-sql', 'print SQL statements that create the same tables as views in any DuckDB'),
    async (options, terminal, args) => (await import('../commands/query.ts')).query(args, options, terminal),
  );
  verb<{ out?: string; format?: string; ranking?: string }>(
    'report <ids...>',
    'write one self-contained HTML file about one run, or about what differs between several',
    [
      'report nightly',
      'report last-week nightly --out both.html',
      'report nightly --format md',
      'report nightly --ranking swe-bench.json',
    ],
    (command) =>
      command
        .option('--out <file>', "file to write (default: report.<format> in the first run's folder)")
        .option('--format <format>', 'html, md, json, csv or tex; default: as --out ends, else html')
        .option('--ranking <file>', 'compare with another ranking of the models (docs/studies/evaloop.md)'),
    async (options, terminal, args) => (await import('../commands/report.ts')).report(args, options, terminal),
  );
}

function explainVerb(verb: DefineVerb): void {
  verb<{ script?: boolean; judge?: string; answers: string }>(
    'explain <id> <row...>',
    'show everything behind one row: data set, task, prompt and how it came about, model, call, reply, program, ' +
      "verdict, price and program version. A row is an answer's address (column `address` of table answers), a link " +
      'of the report (#x-...), or a table with values of its columns',
    [
      'explain nightly x-1a2b3c4d5e6f/generate/1/0/0',
      `query nightly "select address, outcome from answers where task_id = 'MBPP/2'"`,
      "explain nightly '#x-1a2b3c4d5e6f'",
      'explain nightly samples task_id=MBPP/2 model=gpt-4o loop=3 step=generate',
      'explain nightly x-1a2b3c4d5e6f/generate/1/0/0 --script > again.sh',
    ],
    (command) =>
      command
        .usage('[options] <run> <address> | <run> <name of a table> [<column>=<value>...]')
        .option('--answers <n>', 'maximum number of answers to show, if several are behind the row', '5')
        .option('--script', 'print a shell script that asks the same question again and judges the answer')
        .option('--judge <file>', 'judge the reply in this file instead; recorded: the reply of the run, once more'),
    async ({ answers, ...options }, terminal, args) =>
      (await import('../commands/provenance/explain.ts')).explainRow(
        first(args),
        args.slice(1),
        { ...options, most: answers },
        terminal,
      ),
  );
}

function comparingVerbs(verb: DefineVerb): void {
  verb<{
    models?: string;
    metric?: string;
    study?: string;
    by: string;
    margin: string;
    alpha: string;
    out?: string;
    markdown?: string;
    save?: string;
    all?: boolean;
  }>(
    'compare <ids...>',
    'compare every two models of one run or several, task by task: which differ, by how much, and is it sure',
    [
      'compare nightly',
      'compare nightly --models gpt-4o,gpt-4o-mini --metric pass_at_1',
      'compare nightly last-week --models gpt-4o --out changes.html',
      'compare nightly --margin 5 --save comparison',
      'query comparison "select model, other_model, difference, p_holm from compared_pairs order by p_holm"',
    ],
    (command) =>
      command
        .option('--models <names>', 'only these models, with commas between; `id (run)` for one of several runs')
        .option('--metric <name>', 'only this metric, such as pass_at_1 or asl; docs/ci.md has all of them')
        .option('--study <name>', 'only this study')
        .option('--by <unit>', 'task: all variants of a task together; variant: each variant separately', 'task')
        .option(
          '--margin <size>',
          'a difference that is shown to be at most this counts as none, in the unit of the metric',
          '0',
        )
        .option('--alpha <share>', 'highest probability of any wrong claim among all pairs of a metric', '0.05')
        .option('--out <file>', 'also write all tables to a file: .html, .md, .csv or .tex')
        .option('--markdown <file>', 'also write all tables as Markdown')
        .option('--save <dir>', 'also write the results as Parquet tables; `query <dir>` reads them')
        .option('--all', 'show all lines of all metrics, not just one screen'),
    async (options, terminal, args) => (await import('../commands/compare.ts')).compare(args, options, terminal),
  );
}

function importingVerbs(verb: DefineVerb): void {
  verb<ImportFlags>(
    'import <file>',
    "convert other tools' files of answers, or recordings of EVALOOP, to a replay file that a run judges; " +
      'docs/exchange.md has all formats',
    [
      'import o3-mini.json --out replies/o3-mini.jsonl',
      'import assets/data/details --out replies',
      'import o3-mini.json --compare recorded --model o3-mini',
      'import samples.jsonl --format samples --out replies/codellama.jsonl',
      'import eval_results.json --format evalplus --benchmark humaneval-plus:HumanEvalPlus.jsonl.gz ' +
        '--out replies.jsonl --spec judge.yaml',
      'query judge "select recorded_by, suite, sum(n_same) / sum(n) from recorded_agreement group by all"',
    ],
    (command) =>
      command
        .option('--format <format>', 'one of the formats below', recordings[0])
        .option(
          '--out <file>',
          'the replay file to write; for a folder of trajectories, the folder for their replay files',
        )
        .option('--benchmark <format:file>', 'the benchmark that the samples answer; other tasks are refused')
        .option('--spec <file>', 'also write a spec that judges the samples on this benchmark')
        .option('--columns <names>', 'other names of columns or variables: task_id=problem,solution=code')
        .option('--compare <run>', 'list the tasks whose verdicts in this run differ from the recorded ones')
        .option('--model <id>', 'with --compare: the model of the run that replays the recording; else of the file')
        .addHelpText('after', `\nFormats:\n${formatLines(importAbout)}`),
    async (options, terminal, args) =>
      (await import('../commands/exchange/import.ts')).importFile(args[0] ?? '', options, terminal),
  );
}
