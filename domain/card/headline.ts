/** One sentence over all traits: which models lead in which, and where none are told apart. */
import { wordList } from './sentence.ts';

export interface TraitStandings {
  /** What is compared, as a sentence names it: `loops`, or `passing on suite base`. */
  readonly subject: string;
  /** The ranked models, each with how many are shown to be better and worse. */
  readonly models: readonly { readonly name: string; readonly better: number; readonly worse: number }[];
  /** The smallest difference between two of them that is shown, and on what, as text; null if none is. */
  readonly smallest: { readonly difference: string; readonly tasks: string } | null;
}

/** Longer lists of names end with a count. */
const mostNames = 3;
/** More leaders are counted: the first of a long list says little, and the board below names them. */
const mostLeaders = 6;

/**
 * A model leads if no other is shown to be better; leaders need not be equal. Traits with the same leaders are said
 * together. Empty without a trait that ranks two models. @param standings one per trait, and one each of cost and time,
 * in the order of the page
 */
export function headline(standings: readonly TraitStandings[]): string {
  const ranked = standings.filter(({ models }) => models.length > 1);
  if (ranked.length === 0) return '';
  const isOpen = ({ models }: TraitStandings): boolean => models.every(({ better, worse }) => better + worse === 0);
  const groups = Map.groupBy(
    ranked.filter((one) => !isOpen(one)),
    leadersText,
  );
  const clauses = [...groups].map(([leaders, own]) => `${leaders} in ${traitList(own)}${finestText(own)}`);
  const open = ranked.filter(isOpen);
  const untold = open.length === 0 ? [] : [`no two models are told apart in ${traitList(open)}`];
  const most = Math.max(...ranked.map(({ models }) => models.length));
  return `Of ${most} models, ${[...clauses, ...untold].join('; ')}.`;
}

const traitList = (own: readonly TraitStandings[]): string => wordList(own.map(({ subject }) => subject));

function leadersText({ models }: TraitStandings): string {
  const names = models.flatMap(({ name, better }) => (better === 0 ? [name] : []));
  if (names.length === 1) return `${names[0]} leads`;
  if (isCrowded(models)) return `${names.length} share the lead`;
  const more = names.length - mostNames;
  return `${wordList(more > 1 ? [...names.slice(0, mostNames), `${more} others`] : names)} share the lead`;
}

const isCrowded = (models: TraitStandings['models']): boolean =>
  models.filter(({ better }) => better === 0).length > mostLeaders;

/** What it takes to be told apart, where many are not. */
function finestText(own: readonly TraitStandings[]): string {
  const texts = own.flatMap(({ subject, models, smallest }) => {
    if (!isCrowded(models) || smallest === null) return [];
    const of = own.length === 1 ? '' : ` in ${subject}`;
    return [`on ${smallest.tasks}, the smallest difference shown${of} is ${smallest.difference}`];
  });
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`;
}
