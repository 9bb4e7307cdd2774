/** Verbs about this machine: its benchmarks, parts and accounts. */
import { asIs, type DefineVerb } from '../verb.ts';

export function machineVerbs(verb: DefineVerb): void {
  verb<{ check?: boolean; spec?: string; folder?: string }>(
    'benchmarks [names...]',
    'public benchmarks: what is known, where it lies, and how many references pass their own tests',
    ['benchmarks', 'benchmarks --check', 'benchmarks humaneval-et --check', 'benchmarks --check --spec evaloop.yaml'],
    (command) =>
      command
        .option('--check', 'run the references of what lies here on their own tests')
        .option('--spec <file>', 'check the benchmarks of this spec, joined suites included')
        .option('--folder <dir>', 'where fetched files are kept (default: EVENKEEL_BENCHMARKS, else the cache)'),
    async (options, terminal, args) => (await import('../commands/benchmarks.ts')).benchmarks(args, options, terminal),
  );
  verb<{ folder?: string }>(
    'fetch <names...>',
    'download benchmarks from their public sources, checked by SHA-256; a broken download goes on where it stopped',
    ['fetch humaneval', 'fetch mbpp-sanitized mbpp-et --folder files'],
    (command) => command.option('--folder <dir>', 'where to keep them (default: EVENKEEL_BENCHMARKS, else the cache)'),
    async (options, terminal, args) => (await import('../commands/fetch.ts')).fetchBenchmarks(args, options, terminal),
  );
  verb(
    'doctor [spec]',
    'what this machine has, what is missing, what to do; with a spec also whether its endpoints answer and take their keys',
    ['doctor', 'doctor evaloop.yaml'],
    asIs,
    async (options, terminal, args) => (await import('../commands/doctor.ts')).doctor(args[0], options, terminal),
  );
  verb<{ open?: string }>(
    'accounts',
    'accounts that their endpoints keep closed, until when and why; --open opens one now',
    ['accounts', 'accounts --open https://api.openai.com/v1'],
    (command) => command.option('--open <baseUrl>', 'open the accounts of this endpoint, and forget the limits that its refusals taught'),
    async (options, terminal) => (await import('../commands/accounts.ts')).accounts(options, terminal),
  );
}
