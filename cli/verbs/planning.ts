/** Verbs about comparisons that are still to be made. */
import type { DetectOptions } from '../detect-options.ts';
import { withDetect, type DefineVerb } from '../verb.ts';

export function planningVerbs(verb: DefineVerb): void {
  verb<DetectOptions & { study?: string; setting?: string; models?: string; tasks?: string }>(
    'power [id]',
    'how many tasks, repetitions and samples it takes to see a difference between two models, from the variances of ' +
      'an earlier run or stated ones',
    [
      'power nightly --detect 3',
      'power nightly --detect 3 --models gpt-4o,o3 --tasks 378 --power 0.9',
      'power --detect 5 --between 0.12 --within 0.05 --correlation 0.7',
    ],
    (command) =>
      withDetect(
        command
          .requiredOption('--detect <points>', 'the difference in pass rate to see, in percentage points')
          .option('--study <name>', "study of the run (default: its first with two models' answers)")
          .option('--setting <name>', 'setting of the study (default: the first by name)')
          .option('--models <ids>', 'models whose answers count, separated by commas (default: all of the study)')
          .option('--tasks <n>', "tasks that there are (default: those of the run's benchmark)"),
      ),
    async (options, terminal, args) => (await import('../commands/power.ts')).power(args[0], options, terminal),
  );
}
