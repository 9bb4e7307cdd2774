/** What other suites and other studies say of the models that the first sentence of a page says to be best. */
import { leadersOf, type RankedModel, someNames } from '../../domain/card/headline.ts';
import { ofOthers, onSuites, quotedStudy, subjectName, wordList } from '../../domain/card/sentence.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Cards } from './card-source.ts';
import { hasSuite, isBehind, type MainMetric, suiteOf } from './main-entries.ts';
import { promptsOf } from './study-answers.ts';

/** Longer lists end with a count. */
const mostSaid = 3;

/** A metric with its models as the first sentence ranks them. */
interface Told {
  readonly main: MainMetric;
  readonly models: readonly RankedModel[];
}

type KnownRows = Pick<Cards, 'cards' | 'answers'>;

/** That a model is shown to be behind others, and where. */
interface Finding {
  readonly name: string;
  readonly isNamed: boolean;
  readonly whom: string;
  readonly subject: string;
  readonly suite: string | null;
  /** Null if the sentence has to name none. */
  readonly study: string | null;
}

/**
 * That models which lead on one suite of a study are shown to be behind on another, or in another study; empty if none
 * is. The same about several suites or models is said once.
 */
export function otherwiseText(told: readonly Told[], all: KnownRows, nameOf: (row: Row) => string): string {
  const findings = [
    ...told.flatMap((one) => findingsIn(one, one.main.otherSuites, all, nameOf)),
    ...told.flatMap((one) => findingsIn(one, [...one.main.elsewhere.values()].flat(), all, nameOf)),
  ];
  const found = merged(findings);
  if (found.length === 0) return '';
  const said = found.slice(0, mostSaid);
  const more = found.length - said.length;
  const rest = more > 0 ? [`${more} more such ${more === 1 ? 'result is' : 'results are'} in table cards`] : [];
  const whose = said.every(({ isNamed }) => isNamed) ? '' : 'of those with the best estimate, ';
  return ` But ${whose}${[...said.map(({ text }) => text), ...rest].join('; ')}.`;
}

function findingsIn(
  { main, models }: Told,
  rows: readonly Row[],
  { cards, answers }: KnownRows,
  nameOf: (row: Row) => string,
): Finding[] {
  const leaders = leadersOf(models);
  const behind = rows.filter((row) => isBehind(row) && leaders.all.includes(nameOf(row)));
  return behind.map((row) => {
    const name = nameOf(row);
    return {
      ...{ name, isNamed: leaders.named.includes(name) },
      whom: ofOthers(numberOf(row, 'n_better'), numberOf(row, 'n_models') - 1),
      subject: `${subjectName(main.metric, { ...nowhere, prompts: promptsOf(row, answers) })}${conditionText(row)}`,
      suite: suiteOf(row, cards),
      study: main.elsewhere.size === 0 ? null : textOf(row, 'study'),
    };
  });
}

const nowhere = { suite: null, study: null };

/** ` (light)`: what differs between rows of one study that are not about suites. */
const conditionText = (row: Row): string =>
  row['condition'] === 'all' || hasSuite(row) ? '' : ` (${textOf(row, 'condition')})`;

interface Group {
  readonly text: string;
  /** Whether the first sentence names all of its models. */
  readonly isNamed: boolean;
}

/** The same is said once: of several suites of a study, of several models, and in several studies. */
function merged(findings: readonly Finding[]): Group[] {
  const suited = groups(findings, ({ name, whom, subject, study }) => [name, whom, subject, study]).map((own) => ({
    ...own[0],
    where: onSuites(own.flatMap(({ suite }) => suite ?? [])),
  }));
  const alike = groups(suited, ({ whom, subject, where, study }) => [whom, subject, where, study]).map((own) => ({
    ...own[0],
    names: own.map(({ name }) => name),
    isNamed: own.every(({ isNamed }) => isNamed),
  }));
  return groups(alike, ({ names, whom, subject, where }) => [names, whom, subject, where]).map((own) => {
    const [{ isNamed, names, whom, subject, where }] = own;
    const who = `${someNames(names)} ${names.length === 1 ? 'is' : 'are each'}`;
    const studies = own.flatMap(({ study }) => study ?? []);
    return { isNamed, text: `${who} shown to be behind ${whom} in ${subject}${where}${inStudies(studies)}` };
  });
}

/** Those with an equal key together. */
const groups = <T>(all: readonly T[], keyOf: (one: T) => unknown): [T, ...T[]][] => [
  ...(Map.groupBy(all, (one) => JSON.stringify(keyOf(one))) as Map<string, [T, ...T[]]>).values(),
];

const inStudies = (studies: readonly string[]): string =>
  studies.length === 0 ? '' : ` in ${studies.length === 1 ? 'study' : 'studies'} ${wordList(studies.map(quotedStudy))}`;
