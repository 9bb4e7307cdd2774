/** Verbs about stored replies, labels and the files of a run. */
import { exportFormats } from '../../activities/exchange/export-formats.ts';
import { noOptions, first, formatLines, type DefineVerb } from '../verb.ts';

const exportAbout: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exportFormats).map(([name, { about }]) => [name, about]),
);

export function repliesVerbs(verb: DefineVerb): void {
  exchangeVerbs(verb);
  judgingVerbs(verb);
  multiverseVerb(verb);
}

function exchangeVerbs(verb: DefineVerb): void {
  verb<{ format: string; out: string; model?: string; study?: string }>(
    'export <id>',
    'export a run for other tools or for a later run; docs/exchange.md has all formats',
    [
      'export nightly --format replay --out nightly.jsonl',
      'export nightly --format replay --out judge.jsonl --model judge',
      'export nightly --format inspect --study loops --model gpt-4o --out gpt-4o.eval',
      'export nightly --format junit --out nightly.xml',
    ],
    (command) =>
      command
        .option('--format <format>', 'one of the formats below', 'replay')
        .requiredOption('--out <file>', 'file to write; of every-eval-ever the folder')
        .option('--model <id>', 'only what this model answered')
        .option('--study <name>', 'only this study')
        .addHelpText('after', `\nFormats:\n${formatLines(exportAbout)}`),
    async (options, terminal, args) =>
      (await import('../commands/exchange/export.ts')).exportRun(first(args), options, terminal),
  );
  archiveVerb(verb);
  moveVerb(verb);
  verb(
    'agree <id> <file>',
    "compare a person's labels of a sample (export --format label-sample) with the run's labels",
    ['agree nightly labelled.jsonl'],
    noOptions,
    async (options, terminal, args) =>
      (await import('../commands/agree.ts')).agree(first(args), args[1] as string, options, terminal),
  );
  verb<{ model: string; out: string; study?: string; sample: string; seed: string; asks: string }>(
    'taxonomy <id>',
    "let a model propose themes for a run's summaries, as a file for the setting taxonomy",
    [
      'taxonomy nightly --model o3 --out mine.json',
      'taxonomy nightly --model o3 --sample 120 --seed 1 --out mine.json',
    ],
    (command) =>
      command
        .requiredOption('--model <id>', 'the model to ask; it must be in the run')
        .requiredOption('--out <file>', 'file to write')
        .option('--study <name>', 'study whose summaries to use (default: the only study that has any)')
        .option('--sample <n>', 'number of summaries to show the model, drawn at random', '60')
        .option('--seed <n>', 'seed of the draw', '0')
        .option('--asks <n>', 'maximum number of requests until an answer is a valid taxonomy', '3'),
    async (options, terminal, args) =>
      (await import('../commands/taxonomy.ts')).taxonomy(first(args), options, terminal),
  );
}

function moveVerb(verb: DefineVerb): void {
  verb<{ to: string; blobs?: string }>(
    'move <id>',
    'move a run from a folder to servers, or from those that EVENKEEL_STORE and EVENKEEL_BLOBS name to a folder; ' +
      'after a kill the same command goes on',
    [
      'move nightly --to postgres://evenkeel@db.example/evenkeel --blobs s3://bucket/prefix',
      'move nightly --to data/runs',
    ],
    (command) =>
      command
        .requiredOption('--to <store>', 'postgres://user@host/database, or a folder of runs')
        .option('--blobs <address>', 's3://bucket/prefix, with a database (default: EVENKEEL_BLOBS)'),
    async (options, terminal, args) =>
      (await import('../commands/exchange/move.ts')).move(first(args), options, terminal),
  );
}

function archiveVerb(verb: DefineVerb): void {
  verb<{ out?: string; without?: string; allDataSets?: boolean }>(
    'archive <id>',
    'make one file of a run, with checksums, to publish it or to move it to another machine; docs/exchange.md',
    [
      'archive nightly',
      'archive nightly --out nightly-public.tar.gz --without replies,data-sets',
      'archive nightly --all-data-sets',
    ],
    (command) =>
      command
        .option('--out <file>', 'file to write (default: <id>.tar.gz in the current folder)')
        .option(
          '--without <parts>',
          'leave out any of prompts, replies and data-sets, separated by commas; such a run can be read, not resumed',
        )
        .option(
          '--all-data-sets',
          'include data sets whose licence does not permit passing them on (default: they are left out)',
        ),
    async (options, terminal, args) =>
      (await import('../commands/exchange/archive.ts')).archive(first(args), options, terminal),
  );
}

function judgingVerbs(verb: DefineVerb): void {
  verb<{
    extraction?: string;
    caseLimitMs?: string;
    referenceFactor?: string;
    missingPackage?: string;
    suites?: string;
    run?: string;
  }>(
    'rescore <id>',
    "judge a run's stored replies again, without any call: under another extraction rule, other limits or other " +
      'suites; lists the verdicts that change',
    [
      'rescore nightly --extraction last-defining',
      'rescore nightly --case-limit-ms 4000 --run nightly-slow',
      'rescore nightly --suites base',
      'rescore nightly --suites base,plus=humaneval-plus:HumanEvalPlus.jsonl.gz',
      'rescore nightly',
    ],
    (command) =>
      command
        .option('--extraction <rule>', 'paper, last-defining or strict; see docs/extraction.md')
        .option('--case-limit-ms <ms>', 'least time limit of one case, milliseconds')
        .option('--reference-factor <n>', "a case's limit is at least this many times the reference's time for it")
        .option('--missing-package <rule>', 'excluded or failed: programs that import what the sandbox lacks')
        .option(
          '--suites <names>',
          'only these suites, separated by commas; name=format:file adds tests that the run does not have',
        )
        .option('--run <id>', 'id of the new run (default: <id>-<changes>)'),
    async (options, terminal, args) =>
      (await import('../commands/judging/rescore.ts')).rescore(first(args), options, terminal),
  );
  verb<{ repair?: boolean }>(
    'verify <id>',
    'check every byte and key of a run against its manifest: exit status 0 intact, 1 damaged',
    ['verify nightly', 'verify nightly --repair'],
    (command) =>
      command.option(
        '--repair',
        'rebuild damaged and missing table files from the ledger, and say what cannot be rebuilt',
      ),
    async (options, terminal, args) => (await import('../commands/verify.ts')).verify(first(args), options, terminal),
  );
}

function multiverseVerb(verb: DefineVerb): void {
  verb<{
    extraction: string;
    models?: string;
    study?: string;
    metric?: string;
    caseLimitMs?: string;
    curves: string;
    out?: string;
    save?: string;
    all?: boolean;
  }>(
    'multiverse <id>',
    "judge a run's stored replies under every combination of choices (which code counts, suites, limits, what is " +
      'excluded, and those of its studies), without any call: which conclusions hold everywhere',
    [
      'multiverse nightly',
      'multiverse nightly --models gpt-4o,gpt-4o-mini --out multiverse.html',
      'multiverse nightly --extraction own --metric pass_at_1 --save universes',
      'multiverse nightly --case-limit-ms 500',
      'query universes "select model, other_model, metric, conclusion, choice from multiverse_conclusions"',
    ],
    (command) =>
      command
        .option(
          '--extraction <rules>',
          'rules for which code counts, with commas between; own: only that of the run, so that no program is run',
          'paper,last-defining,strict',
        )
        .option('--models <names>', 'only these models, with commas between')
        .option('--study <name>', 'only this study')
        .option('--metric <name>', 'only this metric: one of docs/ci.md, or of PromptSE one of docs/multiverse.md')
        .option(
          '--case-limit-ms <ms>',
          'judge programs again with these time limits for each case, with commas between: all programs for a ' +
            'shorter one, those that a time limit stopped for a longer one',
        )
        .option('--curves <n>', 'specification curves per study in the file, the most fragile conclusions first', '6')
        .option('--out <file>', 'also write tables and specification curves to a file: .html, .md, .csv or .tex')
        .option('--save <dir>', 'also write all universes as Parquet tables; `query <dir>` reads them')
        .option('--all', 'show all lines, not just one screen'),
    async (options, terminal, args) =>
      (await import('../commands/judging/multiverse.ts')).multiverse(first(args), options, terminal),
  );
}
