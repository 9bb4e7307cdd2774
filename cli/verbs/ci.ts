/** Verbs for CI: verdicts and times. */
import { first, type DefineVerb } from '../verb.ts';

export function ciVerbs(verb: DefineVerb): void {
  verb<{
    policy: string;
    against?: string;
    old?: string;
    new?: string;
    study?: string;
    markdown?: string;
    junit?: string;
  }>(
    'gate <id>',
    'compare a new model or version with the old one for CI: exit status 0 passed, 4 failed, 5 inconclusive',
    [
      'gate update --policy policy.yaml',
      'gate nightly-2026-11-21 --against nightly-2026-11-20 --policy policy.yaml --markdown gate.md --junit gate.xml',
      'gate loops --old gpt-4o-old --new gpt-4o --policy policy.yaml --json',
    ],
    (command) =>
      command
        .requiredOption(
          '--policy <file>',
          'how much worse the new side may be, e.g. rules: [{ metric: pass_at_1, margin: 5 }, { metric: asl, ' +
            'marginPercent: 10 }, { metric: code_smell, margin: 0.3 }]; docs/ci.md has all metrics',
        )
        .option('--against <run>', 'run with the old side (default: the same run)')
        .option(
          '--old <model>',
          'the old version (default: the pairs of regression studies, or the models that both runs have)',
        )
        .option('--new <model>', 'the new version')
        .option('--study <name>', 'compare only this study')
        .option('--markdown <file>', 'also write the verdict as Markdown')
        .option('--junit <file>', 'also write the verdict as JUnit XML'),
    async (options, terminal, args) => (await import('../commands/gate.ts')).gate(first(args), options, terminal),
  );
  verb<{ spec?: string; policy?: string; against?: string; cron?: string; specs?: string }>(
    'schedule <action> [name]',
    'run a spec and its gate on a schedule, with the Temporal server that TEMPORAL_ADDRESS names: create, list, ' +
      'trigger, delete, serve',
    [
      'schedule create nightly --spec watch/nightly.yaml --policy watch/policy.yaml --against ' +
        'baseline --cron "17 3 * * *"',
      'schedule serve --specs watch',
      'schedule list',
      'schedule trigger nightly',
      'schedule delete nightly',
    ],
    (command) =>
      command
        .option('--spec <file>', 'create: the spec to run each time')
        .option('--policy <file>', 'create: the policy, see docs/ci.md')
        .option('--against <run>', 'create: the baseline run to compare with')
        .option('--cron <times>', 'create: minute, hour, day of the month, month, day of the week, in UTC')
        .option('--specs <folder>', 'serve: the folder with specs and policies (default: the current folder)'),
    async (options, terminal, args) => (await import('../commands/schedule.ts')).schedule(args, options, terminal),
  );
}
