/** Verbs over stored replies and labels, and over every byte of a run. */
import { asIs, first, type DefineVerb } from '../verb.ts';

export function repliesVerbs(verb: DefineVerb): void {
  verb<{ format: string; out: string; model?: string }>(
    'export <id>',
    'write a run in a form that others, or a later run, can use',
    ['export nightly --format replay --out nightly.jsonl', 'export nightly --format replay --out judge.jsonl --model judge'],
    (command) =>
      command
        .option('--format <format>', 'replay: its answers, for models with provider: replay', 'replay')
        .requiredOption('--out <file>', 'file to write')
        .option('--model <id>', 'only what this model answered'),
    async (options, terminal, args) => (await import('../commands/export.ts')).exportRun(first(args), options, terminal),
  );
  verb(
    'agree <id> <file>',
    "a person's labels of a sample of prompts (export --format label-sample) against the run's",
    ['agree nightly labelled.jsonl'],
    asIs,
    async (options, terminal, args) => (await import('../commands/agree.ts')).agree(first(args), args[1] as string, options, terminal),
  );
  verb<{ model: string; out: string; study?: string; sample: string; seed: string; asks: string }>(
    'taxonomy <id>',
    "a model proposes themes for a run's summaries, as a file for the setting taxonomy",
    ['taxonomy nightly --model o3 --out mine.json', 'taxonomy nightly --model o3 --sample 120 --seed 1 --out mine.json'],
    (command) =>
      command
        .requiredOption('--model <id>', 'the model of the run that is asked')
        .requiredOption('--out <file>', 'file to write')
        .option('--study <name>', 'whose summaries (default: the only study of kind specificity)')
        .option('--sample <n>', 'summaries that are shown, drawn by seed', '60')
        .option('--seed <n>', 'seed of the draw', '0')
        .option('--asks <n>', 'most questions until an answer is a taxonomy', '3'),
    async (options, terminal, args) => (await import('../commands/taxonomy.ts')).taxonomy(first(args), options, terminal),
  );
  verb<{ extraction: string; run?: string }>(
    'rescore <id>',
    "judge a run's stored replies under another rule of extraction, without a call, and say which verdicts moved",
    ['rescore nightly --extraction last-defining', 'rescore nightly --extraction strict --run nightly-by-strict'],
    (command) =>
      command
        .requiredOption('--extraction <rule>', 'paper, last-defining or strict; see docs/extraction.md')
        .option('--run <id>', 'the run that is made of them (default: <id>-<rule>)'),
    async (options, terminal, args) => (await import('../commands/rescore.ts')).rescore(first(args), options, terminal),
  );
  verb<{ repair?: boolean }>(
    'verify <id>',
    'check every byte and key of a run against its manifest',
    ['verify nightly', 'verify nightly --repair'],
    (command) => command.option('--repair', 'make damaged and missing parts again from the ledger, and say what cannot be'),
    async (options, terminal, args) => (await import('../commands/verify.ts')).verify(first(args), options, terminal),
  );
}
