/** Rows of the tables of a saved multiverse. */
import type { Curve, Finding, Subject } from '../../domain/multiverse/finding.ts';
import { defaultLevel, type Interval } from '../../domain/statistics/intervals/interval.ts';
import { choiceNames, type multiverseTables } from '../../schemas/tables/multiverse.ts';
import type { Row } from '../../schemas/tables.ts';

export type MultiverseRows = Readonly<Record<keyof typeof multiverseTables, readonly Row[]>>;

export const multiverseRows = (curves: readonly Curve[]): MultiverseRows => ({
  multiverse: curves.flatMap(universeRows),
  multiverse_conclusions: curves.map(conclusionRow),
});

const subjectColumns = ({ other, ...subject }: Subject): Row => ({ ...subject, other_model: other });

/** The own universe has number 0, and without one the first has number 1. */
const universeRows = ({ findings, own }: Curve): Row[] =>
  findings.map((finding, index) => ({
    ...subjectColumns(finding.subject),
    universe: own === null ? index + 1 : index,
    ...Object.fromEntries(choiceNames.map((name) => [name, finding.options[name] ?? null])),
    ...ends('estimate', finding),
    unit: finding.unit,
    ...{ n_tasks: finding.tasks, n_not_asked: finding.notAsked },
    ...{ confidence: defaultLevel, simulated: finding.simulated },
  }));

function conclusionRow({ subject, own, findings, conclusion }: Curve): Row {
  const { verdict, choice } = conclusion;
  const [{ unit, isSigned }] = findings;
  return {
    ...subjectColumns(subject),
    conclusion: isSigned ? verdict : null,
    ...ends('own', own),
    unit,
    ...{ least: conclusion.least, greatest: conclusion.greatest },
    ...{ share_positive: conclusion.positive, share_negative: conclusion.negative },
    ...{ share_above: conclusion.above, share_below: conclusion.below },
    ...{ choice: choice?.choice ?? null, choice_share: choice?.share ?? null, choice_shift: choice?.shift ?? null },
    ...{ confidence: defaultLevel, n_universes: conclusion.universes, n_missing: conclusion.missing },
    simulated: findings.some(({ simulated }) => simulated),
  };
}

/** The estimate, its interval's ends, and why there is none. */
function ends(name: string, finding: Pick<Finding, 'estimate' | 'interval'> | null): Row {
  const estimate = finding?.estimate ?? null;
  const interval: Interval | null = finding?.interval ?? null;
  return {
    [name]: estimate,
    [`${name}_lo`]: interval?.lo ?? null,
    [`${name}_hi`]: interval?.hi ?? null,
    reason:
      estimate === null
        ? 'undefined for the tasks that count in this universe'
        : interval === null
          ? 'too few tasks to say'
          : null,
  };
}
