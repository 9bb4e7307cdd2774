/** Verbs about this machine: its benchmarks, parts and accounts. */
import { nameList } from '../../domain/name-list.ts';
import { byNameOnly, caches } from '../../workers/gc/cache-names.ts';
import type { GcOptions } from '../commands/gc/wanted.ts';
import { first, formatLines, noOptions, type DefineVerb } from '../verb.ts';

export function machineVerbs(verb: DefineVerb): void {
  verb<{ check?: boolean; spec?: string; folder?: string }>(
    'benchmarks [names...]',
    'list the public benchmarks and their files; --check tells how many references pass their own tests',
    ['benchmarks', 'benchmarks --check', 'benchmarks humaneval-et --check', 'benchmarks --check --spec evaloop.yaml'],
    (command) =>
      command
        .option('--check', 'run the references of the downloaded benchmarks on their own tests')
        .option('--spec <file>', 'check the benchmarks of this spec instead, with their joined suites')
        .option('--folder <dir>', 'folder of the downloaded files (default: EVENKEEL_BENCHMARKS, else the cache)'),
    async (options, terminal, args) => (await import('../commands/benchmarks.ts')).benchmarks(args, options, terminal),
  );
  verb<{ folder?: string }>(
    'fetch <names...>',
    'download benchmarks from their public sources, checked by SHA-256; ' +
      'an interrupted download continues where it stopped',
    ['fetch humaneval', 'fetch mbpp-sanitized mbpp-et --folder files'],
    (command) =>
      command.option('--folder <dir>', 'folder for the files (default: EVENKEEL_BENCHMARKS, else the cache)'),
    async (options, terminal, args) => (await import('../commands/fetch.ts')).fetchBenchmarks(args, options, terminal),
  );
  verb(
    'doctor [spec]',
    'check what this machine has, what is missing and what to do; with a spec, also whether its endpoints answer ' +
      'and accept their keys',
    ['doctor', 'doctor evaloop.yaml'],
    noOptions,
    async (options, terminal, args) => (await import('../commands/doctor.ts')).doctor(args[0], options, terminal),
  );
  verb<{ open?: string }>(
    'accounts',
    'list the accounts that an endpoint has closed, until when and why; --open opens one now',
    ['accounts', 'accounts --open https://api.openai.com/v1'],
    (command) =>
      command.option(
        '--open <baseUrl>',
        'open the accounts of this endpoint, and forget the limits learned from its refusals',
      ),
    async (options, terminal) => (await import('../commands/accounts.ts')).accounts(options, terminal),
  );
  gcVerb(verb);
  storeVerb(verb);
}

function storeVerb(verb: DefineVerb): void {
  verb<{ role?: string }>(
    'store <action>',
    'prepare: make or update the tables of the PostgreSQL database that EVENKEEL_STORE names',
    ['store prepare', 'store prepare --role evenkeel_worker'],
    (command) =>
      command.option('--role <name>', 'grant this role what it needs to work with the tables; made if it is missing'),
    async (options, terminal, args) => (await import('../commands/store.ts')).store(first(args), options, terminal),
  );
}

function gcVerb(verb: DefineVerb): void {
  verb<Omit<GcOptions, 'runsDir'>>(
    'gc [patterns...]',
    'list what old runs, caches and leftovers of killed commands take on disk; --yes removes them',
    ['gc', 'gc --older-than 90', "gc 'nightly-2025-*' --yes", 'gc --caches references,executions --yes'],
    (command) =>
      command
        .option(
          '--older-than <days>',
          'complete runs that have not changed for this long; with patterns, those of them',
        )
        .option('--incomplete', 'also runs that are not complete, and so could still be resumed')
        .option('--caches <names>', 'these caches whole, separated by commas (default: only what is old in them)')
        .option('--yes', 'remove what is listed without it')
        .addHelpText(
          'after',
          '\nPatterns are run ids in which * stands for any characters and ? for one.\n' +
            `Leftovers, and what is old in the caches, always go too.\n\nCaches:\n${formatLines({
              ...caches,
              all: `all of these except ${nameList(byNameOnly)}`,
            })}`,
        ),
    async (options, terminal, args) => (await import('../commands/gc/gc.ts')).gc(args, options, terminal),
  );
}
