/** EVALOOP's published trajectories as a recording. */
import type { StudyImporter } from '../../study-importer.ts';
import { parseTrajectories } from '../trajectories.ts';
import { recordedDifferences } from './recorded-loops.ts';

export const evaloopImporter: StudyImporter = {
  // The authors' own judging settings, as far as known: see docs/reproductions.md.
  advice:
    'to judge them as published: give the benchmark `judging: { caseLimitMs: 4000, missingPackage: failed }` ' +
    'and the study `settings: { judge: none }`',
  unit: 'loops',
  parse(text, file) {
    const tasks = parseTrajectories(text, file);
    return {
      tasks: tasks.length,
      lines: tasks.flatMap((task) => task.lines),
      differences: (database, model) => recordedDifferences(database, model, tasks),
    };
  },
};
