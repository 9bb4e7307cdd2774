/** Table of programs built with a driver and run with several thread counts (ParEval's protocol). */
import { bool, float, int, text, type Table } from './column.ts';

export const parallelTables = {
  parallel_runs: {
    name: 'parallel_runs',
    meaning:
      'Every run of a program built with a driver: one row per thread count and repeat. Programs that did not ' +
      'build have no rows.',
    schemaVersion: 1,
    key: ['execution_id', 'page', 'threads', 'repeat'],
    columns: {
      execution_id: text('Row of `executions`.'),
      page: text('Page of the plan whose part holds this row.'),
      program_sha256: text('SHA-256 of the program.'),
      task_id: text('Task id: name and kind of parallelism.'),
      suite: text('Suite name.'),
      parallelism: text('serial or omp.'),
      threads: int('Threads requested by the driver; 1 for a serial program.'),
      repeat: int('Number of the run with this thread count, from 1.'),
      outcome: text(
        'Outcome of this run, from the closed list. A program is flaky if its runs with one thread count ' +
          'disagree, for example because of a race.',
        { volatile: true },
      ),
      detail: text('One line for a person.', {
        nullWhen: 'there is nothing to say',
        volatile: true,
        holds: ['replies', 'data-sets'],
      }),
      time_s: float("The driver's mean time of one call.", {
        unit: 's',
        nullWhen: 'the run did not pass, or the program printed a time, too',
        volatile: true,
      }),
      best_sequential_s: float("The same for the driver's own sequential code, in the same process.", {
        unit: 's',
        nullWhen: 'time_s is null',
        volatile: true,
      }),
      speedup: float('best_sequential_s / time_s: more than 1 is faster than the sequential code.', {
        nullWhen: 'one of them is null or 0',
        volatile: true,
      }),
      pragma_missing: bool('True if the program contains no OpenMP pragma.', { nullWhen: 'the task is serial' }),
      alone: bool('True if nothing else ran in the sandbox at the same time; otherwise the times are unreliable.'),
    },
  },
} as const satisfies Record<string, Table>;
