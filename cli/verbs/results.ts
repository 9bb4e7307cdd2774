/** Verbs over what runs have found. */
import { first, type DefineVerb } from '../verb.ts';

export function resultsVerbs(verb: DefineVerb): void {
  verb<{ shellSql?: boolean; tables?: string }>(
    'query <id> [sql]',
    "DuckDB over a run's finished pages, also while it runs; without SQL lists the tables",
    [
      'query nightly',
      'query nightly --tables loops',
      'query nightly "select model, asl, asl_lo, asl_hi from asl order by asl desc"',
      'query nightly --shell-sql',
    ],
    (command) =>
      command
        .option('--tables <name>', 'the columns of one table, with their units and meaning')
        .option('--shell-sql', 'print statements that make the same views in any DuckDB'),
    async (options, terminal, args) => (await import('../commands/query.ts')).query(first(args), args[1], options, terminal),
  );
  verb<{ out?: string; format: string; ranking?: string }>(
    'report <ids...>',
    'one self-contained HTML file over one run or several',
    ['report nightly', 'report nightly last-week --out both.html', 'report nightly --format md', 'report nightly --ranking swe-bench.json'],
    (command) =>
      command
        .option('--out <file>', "file to write (default: report.<format> in the first run's folder)")
        .option('--format <format>', 'html, md or json', 'html')
        .option('--ranking <file>', 'another ranking of the models, to set beside theirs (docs/studies/evaloop.md)'),
    async (options, terminal, args) => (await import('../commands/report.ts')).report(args, options, terminal),
  );
  verb<{ format: string; out?: string; compare?: string; model?: string }>(
    'import <file>',
    'what others recorded as a replay file: trajectories of EVALOOP (also beside a run that replayed them), published samples of a model',
    [
      'import o3-mini.json --out replies/o3-mini.jsonl',
      'import assets/data/details --out replies',
      'import o3-mini.json --compare recorded --model o3-mini',
      'import samples.jsonl --format samples --out replies/codellama.jsonl',
    ],
    (command) =>
      command
        .option('--format <format>', 'evaloop, or samples: lines of task_id with completion or solution', 'evaloop')
        .option('--out <file>', 'the replay file to write; for a folder of trajectories, the folder for their replay files')
        .option('--compare <run>', 'list the tasks whose verdicts in this run differ from the recorded ones')
        .option('--model <id>', 'the model of that run which replays the recording'),
    async (options, terminal, args) => (await import('../commands/import.ts')).importFile(args[0] ?? '', options, terminal),
  );
}
