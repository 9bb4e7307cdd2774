/** What a study compares, each metric on the sides that have a value for it. */
import type { Compared, GateSource, Sides } from '../../analysis/gate/compared.ts';
import type { RunDatabase } from '../../analysis/database.ts';
import { nameList } from '../../domain/name-list.ts';

/** A metric, with the sides that it is on. */
export interface KnownSides {
  readonly found: Compared;
  /** Their places among all sides. */
  readonly places: readonly number[];
  /** Places of sides that are left out, because they have no value of any task. */
  readonly without: readonly number[];
  /** Of these, sides that the metric's suite did not judge. */
  readonly withoutSuite: readonly number[];
}

/**
 * The source's metrics. Where the sides share no task, since some have no value at all, the metric is that of the other
 * sides if these are two or more: they are read again, once for all metrics that the same sides have.
 */
export async function onKnownSides(
  database: RunDatabase,
  source: GateSource,
  all: Sides,
  isWanted: (found: Compared) => boolean,
): Promise<KnownSides[]> {
  const again = new Map<string, Promise<Compared[]>>();
  const readAgain = (places: readonly number[]): Promise<Compared[]> => {
    const [first, ...others] = places.flatMap((place) => all.sides[place] ?? []);
    if (first === undefined) return Promise.resolve([]);
    const read = again.get(places.join()) ?? source(database, { ...all, sides: [first, ...others] });
    again.set(places.join(), read);
    return read;
  };
  const known: KnownSides[] = [];
  for (const found of (await source(database, all)).filter(isWanted)) {
    const places = all.sides.map((_, place) => place);
    const having = places.filter((place) => (ownTasks(found)[place] ?? 0) > 0);
    const isLacking = sharedTaskIds(found).length === 0 && having.length > 1 && having.length < places.length;
    const same = isLacking ? (await readAgain(having)).find((one) => nameOf(one) === nameOf(found)) : undefined;
    const without = same === undefined ? [] : places.filter((place) => !having.includes(place));
    known.push({
      ...{ found: same ?? found, places: same === undefined ? places : having, without },
      withoutSuite: without.filter((place) => found.withoutSuite?.includes(place)),
    });
  }
  return known;
}

const nameOf = ({ subject, variant }: Compared): string => JSON.stringify([subject, variant]);

const sharedTaskIds = ({ tasks, together }: Compared): readonly string[] => (together ?? tasks)?.taskIds ?? [];

/** By side, the number of tasks with a value. That of `tasks` may be of those only which all sides have answered. */
export const ownTasks = ({ tasks, together, judged }: Compared): readonly number[] =>
  (together ?? judged ?? tasks)?.own ?? [];

/** What is said of models that are left out because they have no value. */
export const noValues = (names: readonly string[]): string =>
  `${nameList(names)} ${names.length === 1 ? 'has' : 'have'} no value of any task`;

/** What is said of models whose only values are of tasks that not all models have answered. */
export const noSharedValue = (names: readonly string[]): string =>
  `${nameList(names)} ${names.length === 1 ? 'has' : 'have'} no value on the shared tasks`;

/**
 * What is said if at most one side has values, so that nothing can be compared; else null. A metric that the settings
 * do not measure is not missed.
 * @param isNamed whether the user asks for this metric by name
 */
export function lackingText(found: Compared, names: readonly string[], isNamed: boolean): string | null {
  if (found.unmeasured !== undefined) return isNamed ? found.unmeasured : null;
  const own = ownTasks(found);
  const without = names.filter((_, side) => own[side] === 0);
  if (without.length === 0 || own.length - without.length > 1 || (found.withoutSuite ?? []).length > 0) return null;
  const what = without.length === own.length ? 'no model has a comparable value' : noValues(without);
  return `${what}: nothing is compared there`;
}

/** What is said if two sides or more have values, but all of them share no task; else null. */
export function apartText(found: Compared, names: readonly string[]): string | null {
  const own = ownTasks(found);
  if (sharedTaskIds(found).length > 0 || own.length < 2 || own.some((tasks) => tasks === 0)) return null;
  const [fewest, most] = [Math.min(...own), Math.max(...own)];
  const least = fewest === most ? '' : `; ${names[own.indexOf(fewest)]} has the fewest, ${fewest} of up to ${most}`;
  return `the ${names.length} models share no task${least}`;
}
