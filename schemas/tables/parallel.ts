/** Table of programs that are built with a driver and run with several thread counts (ParEval's protocol). */
import { bool, float, int, text, type Table } from './column.ts';

export const parallelTables = {
  parallel_runs: {
    name: 'parallel_runs',
    meaning: 'Every run of a program that was built with a driver: one row per thread count and repeat. What was not built has none.',
    schemaVersion: 1,
    key: ['execution_id', 'page', 'threads', 'repeat'],
    columns: {
      execution_id: text('Row of `executions`.'),
      page: text('Page of the plan whose part holds this row.'),
      program_sha256: text('SHA-256 of the program.'),
      task_id: text('Task: name and kind of parallelism.'),
      suite: text('Suite name.'),
      parallelism: text('serial or omp.'),
      threads: int('Threads that the driver asked for; 1 of a serial program.'),
      repeat: int('Which of the runs with this thread count, from 1.'),
      outcome: text(
        'Of this run, from the closed list. The program is flaky where runs with one thread count disagree, as those with a race do.',
        { volatile: true },
      ),
      detail: text('One line for a person.', { nullWhen: 'there is nothing to say', volatile: true }),
      time_s: float("The driver's mean time of one call.", {
        unit: 's',
        nullWhen: 'it did not pass, or the program itself said a time, too',
        volatile: true,
      }),
      best_sequential_s: float("The same of the driver's own sequential code, in the same process.", {
        unit: 's',
        nullWhen: 'time_s is',
        volatile: true,
      }),
      speedup: float('best_sequential_s / time_s: more than 1 is faster than the sequential code.', {
        nullWhen: 'one of them is null or 0',
        volatile: true,
      }),
      pragma_missing: bool('True where no OpenMP pragma stands in the program.', { nullWhen: 'the task is serial' }),
      alone: bool('True when nothing else ran in the sandbox meanwhile; else times say little.'),
    },
  },
} as const satisfies Record<string, Table>;
