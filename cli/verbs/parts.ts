/** Verbs that run until Ctrl-C, and the demo. */
import { observeAs, type ObserveOptions } from '../observe-as.ts';
import { noOptions, withAll, withObserving, type DefineVerb } from '../verb.ts';

export function partsVerbs(verb: DefineVerb): void {
  verb(
    'server',
    "run the runs directory's Temporal server until Ctrl-C",
    ['server', 'server --runs-dir /data/runs'],
    noOptions,
    async (options, terminal) => (await import('../commands/parts.ts')).server(options, terminal),
  );
  verb<{ roles: string } & ObserveOptions>(
    'worker',
    'run a worker with some roles for a runs directory until Ctrl-C, connected to TEMPORAL_ADDRESS if that is set',
    ['worker --roles llm,sandbox', 'worker --roles workflow,llm,sandbox,io'],
    (command) =>
      withObserving(command).option(
        '--roles <roles>',
        'any of workflow, llm (calls), sandbox (programs), io (files), seal, separated by commas; with llm and ' +
          'sandbox, one worker runs the programs that it asks for; sandbox alone runs those of workers without it; ' +
          'seal writes finished results and is included in io',
        'workflow,llm,sandbox,io',
      ),
    async (options, terminal) => {
      observeAs(options);
      return (await import('../commands/parts.ts')).worker(options, terminal);
    },
  );
  endpointVerbs(verb);
  verb<{ all?: boolean }>(
    'demo',
    'run a small example of every study with simulated models on the starter benchmark',
    ['demo'],
    withAll,
    async (options, terminal) => (await import('../commands/demo.ts')).demo(options, terminal),
  );
}

/** Servers with OpenAI's protocol. */
function endpointVerbs(verb: DefineVerb): void {
  verb<{ port: string; benchmark?: string; format: string; log?: string }>(
    'simulate [spec]',
    'serve simulated models by an OpenAI-compatible API on this machine: strong, drifting, weak, faulty and judge, ' +
      'or those of a spec',
    [
      'simulate --port 8080',
      'simulate --port 8080 --benchmark MbppPlus.jsonl.gz --format mbpp-plus',
      'simulate evaloop.yaml --port 8080',
    ],
    (command) =>
      command
        .option('--port <n>', 'port on 127.0.0.1; 0 picks a free one', '0')
        .option('--benchmark <file>', 'file of the tasks that the models can answer (default: the starter benchmark)')
        .option('--format <format>', 'format of that file', 'evenkeel')
        .option('--log <file>', 'append every request to this file before answering it'),
    async (options, terminal, args) => (await import('../commands/simulate.ts')).simulate(args[0], options, terminal),
  );
  verb<{ listen: string; to: string; out: string }>(
    'record',
    'stand before an OpenAI-compatible endpoint, pass requests and answers on, and write the replies to a replay ' +
      'file; keys are passed on and never stored',
    [
      'record --listen 8123 --to https://api.openai.com/v1 --out replies.jsonl',
      'record --listen 8123 --to http://127.0.0.1:8000/v1 --out replies.jsonl',
    ],
    (command) =>
      command
        .requiredOption('--listen <port>', 'port on 127.0.0.1; 0 picks a free one')
        .requiredOption('--to <url>', "the endpoint's base URL")
        .requiredOption('--out <file>', 'replay file to write, or one that `record` wrote before, to continue it'),
    async (options, terminal) => (await import('../commands/record.ts')).record(options, terminal),
  );
}
