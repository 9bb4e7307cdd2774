/** EVALOOP's results: ASL and all other estimates from loops. */
import { firstPassesIn } from '../../../analysis/card/first-passes.ts';
import { loopsCard } from './card.ts';
import { estimatedAsl } from './asl-table.ts';
import { evaloopTables, loopTableNames } from './tables.ts';
import { leaderboard } from './leaderboard.ts';
import { functionOnly } from '../../../analysis/gate/conditions.ts';
import { firstAnswersIn } from '../../../analysis/gate/solutions.ts';
import { withoutOwnChoices } from '../../../analysis/multiverse/measured.ts';
import type { StudyResults } from '../../study-results.ts';
import { evaloopReport } from '../report/index.ts';
import { defaultSetting, loopSettings } from '../loop-settings.ts';
import { loopsSource, reviewedLoopsSource } from './gate.ts';
import { loopsNeed } from './needed-settings.ts';

export const evaloopResults: StudyResults = {
  derives: ['asl', ...loopTableNames],
  derive: async (database, manifest) => {
    const asl = estimatedAsl(database, manifest);
    const board = asl.then((rows) => leaderboard(database, rows));
    const tables = await evaloopTables(database, manifest, board);
    return { asl: await asl, ...tables };
  },
  report: evaloopReport,
  gate: [firstAnswersIn(defaultSetting), loopsSource],
  multiverse: [firstAnswersIn(defaultSetting), reviewedLoopsSource].map((source) => withoutOwnChoices(source)),
  conditions: () => [functionOnly('pass_at_1', 'asl', 'asl_unweighted')],
  asksByAnswers: true,
  neededSettings: loopsNeed,
  card: [firstPassesIn(defaultSetting), loopsCard],
  // Loops of further settings, which an older program counted too, and left no mark of it.
  mayHaveEarlierCards: async (_database, { spec }) =>
    spec.studies.some((study) => study.kind === 'evaloop' && loopSettings(study.settings).length > 1),
};
