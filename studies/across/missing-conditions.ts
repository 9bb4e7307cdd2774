/** Conditions of a study that some sides have no answers of: a requirement, a level of detail, or a variant. */
import type { RunDatabase } from '../../analysis/database.ts';
import type { Compared, GateSource, Sides } from '../../analysis/gate/compared.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { conditionName } from '../../domain/gate/evaluate.ts';
import type { NotedSubject } from './conditions-text.ts';
import { type KnownSides, noValues, ownTasks } from './known-sides.ts';

export interface MissingCondition {
  readonly subject: NotedSubject;
  /** Places of the sides that have values of it, and of those that have none. */
  readonly places: readonly number[];
  readonly without: readonly number[];
}

/** Whether the sides have answers of different prompts, so that it is worth to look at each by itself. */
export async function isUneven(database: RunDatabase, { sides, byVariant = false }: Sides): Promise<boolean> {
  const place = byVariant ? 'setting, variant, repetition, sample' : 'setting, variant';
  const rows = await records(
    database,
    `SELECT run, model, count(*)::INT AS places FROM (
      SELECT DISTINCT run, model, ${place} FROM verdicts WHERE study = ${quoteText(sides[0].study.name)})
    GROUP BY ALL
    UNION ALL SELECT NULL, NULL, count(*)::INT FROM (
      SELECT DISTINCT ${place} FROM verdicts WHERE study = ${quoteText(sides[0].study.name)})`,
  );
  return new Set(rows.map((row) => row['places'])).size > 1;
}

/** Conditions that are not among those that all sides have. Each side is read by itself. */
export async function missingConditions(
  database: RunDatabase,
  source: GateSource,
  all: Sides,
  known: readonly KnownSides[],
  isWanted: (found: Compared) => boolean,
): Promise<MissingCondition[]> {
  const shared = new Set(known.map(({ found }) => conditionOf(found)));
  const found = new Map<string, { readonly subject: NotedSubject; readonly places: Set<number> }>();
  for (const [place, side] of all.sides.entries())
    for (const one of (await source(database, { ...all, sides: [side] })).filter(isWanted)) {
      const name = conditionOf(one);
      if (shared.has(name) || (ownTasks(one)[0] ?? 0) === 0) continue;
      const own = found.get(name) ?? { subject: { ...one.subject, variant: one.variant ?? null }, places: new Set() };
      found.set(name, { ...own, places: own.places.add(place) });
    }
  const others = (places: ReadonlySet<number>): number[] =>
    all.sides.flatMap((_, place) => (places.has(place) ? [] : [place]));
  return [...found.values()]
    .map(({ subject, places }) => ({ subject, places: [...places], without: others(places) }))
    .filter(({ without }) => without.length > 0);
}

/** The metrics of these conditions on the sides that have them, where these are two or more. */
export async function onSidesWith(
  database: RunDatabase,
  source: GateSource,
  all: Sides,
  missing: readonly MissingCondition[],
  isWanted: (found: Compared) => boolean,
): Promise<KnownSides[]> {
  const known: KnownSides[] = [];
  for (const own of grouped(missing)) {
    const [{ places }] = own;
    const [first, ...rest] = places.flatMap((place) => all.sides[place] ?? []);
    if (first === undefined || rest.length === 0) continue;
    const names = new Set(own.map(nameOf));
    const read = (await source(database, { ...all, sides: [first, ...rest] })).filter(isWanted);
    known.push(
      ...read
        .filter((one) => names.has(conditionOf(one)))
        .map((found) => ({ found, places, without: [], withoutSuite: [] })),
    );
  }
  return known;
}

/** @param names of all sides */
export function missingNotes(study: string, missing: readonly MissingCondition[], names: readonly string[]): string[] {
  return grouped(missing).map((own) => {
    const [{ places, without }] = own;
    const where = [...new Set(own.map(({ subject }) => saidCondition(subject)))].join('; ');
    const what = noValues(without.flatMap((place) => names[place] ?? []));
    return `study ${study} (${where}): ${what}: ${places.length > 1 ? 'left out' : 'nothing is compared there'}`;
  });
}

const saidCondition = (subject: NotedSubject): string =>
  `${conditionName(subject)}${subject.variant == null ? '' : `, variant ${subject.variant}`}`;

type Group = readonly [MissingCondition, ...MissingCondition[]];

/** Those that the same sides have together. */
const grouped = (missing: readonly MissingCondition[]): Group[] =>
  [...Map.groupBy(missing, ({ places }) => places.join()).values()].flatMap(([first, ...others]): Group[] =>
    first === undefined ? [] : [[first, ...others]],
  );

const keyOf = ({ dimension, workflow }: Pick<NotedSubject, 'dimension' | 'workflow'>, variant: string | null): string =>
  JSON.stringify([dimension, workflow, variant]);
const conditionOf = ({ subject, variant }: Compared): string => keyOf(subject, variant ?? null);
const nameOf = ({ subject }: MissingCondition): string => keyOf(subject, subject.variant ?? null);
