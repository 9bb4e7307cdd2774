/** Verbs that serve, and the demo. */
import { asIs, withAll, type DefineVerb } from '../verb.ts';

export function partsVerbs(verb: DefineVerb): void {
  verb(
    'server',
    "serve the runs directory's Temporal server until Ctrl-C",
    ['server', 'server --runs-dir /data/runs'],
    asIs,
    async (options, terminal) => (await import('../commands/parts.ts')).server(options, terminal),
  );
  verb<{ roles: string }>(
    'worker',
    'serve some roles of a runs directory, here or beside a cluster named by TEMPORAL_ADDRESS',
    ['worker --roles llm,sandbox', 'worker --roles workflow,llm,sandbox,io'],
    (command) =>
      command.option(
        '--roles <roles>',
        'any of workflow, llm, sandbox, io, seal, separated by commas; llm with sandbox runs the programs that it asks for, sandbox alone those of workers without; seal writes finished pages, and io includes it',
        'workflow,llm,sandbox,io',
      ),
    async (options, terminal) => (await import('../commands/parts.ts')).worker(options, terminal),
  );
  verb<{ port: string; benchmark?: string; format: string; log?: string }>(
    'simulate [spec]',
    'an OpenAI-compatible server of simulated models on this machine: strong, drifting, weak, faulty and judge, or those of a spec',
    ['simulate --port 8080', 'simulate --port 8080 --benchmark MbppPlus.jsonl.gz --format mbpp-plus', 'simulate evaloop.yaml --port 8080'],
    (command) =>
      command
        .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', '0')
        .option('--benchmark <file>', 'tasks that the models know (default: the starter benchmark)')
        .option('--format <format>', 'format of that file', 'evenkeel')
        .option('--log <file>', 'append every request to this file, on disk before it is answered'),
    async (options, terminal, args) => (await import('../commands/simulate.ts')).simulate(args[0], options, terminal),
  );
  verb<{ all?: boolean }>(
    'demo',
    'a small sweep of every study over simulated models and the starter benchmark',
    ['demo'],
    withAll,
    async (options, terminal) => (await import('../commands/demo.ts')).demo(options, terminal),
  );
}
