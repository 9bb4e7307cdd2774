/** How choices, quantities and verdicts are called in figures and tables. */
import type { Conclusion, Verdict } from '../../domain/multiverse/conclusion.ts';
import type { Subject } from '../../domain/multiverse/finding.ts';
import type { ChoiceName } from '../../schemas/tables/multiverse.ts';

export const choiceTexts: Readonly<Record<ChoiceName, string>> = {
  extraction: 'code that counts',
  suites: 'suites',
  limits: 'stopped by limits',
  excluded: 'not judged',
  delta_unit: 'unit of Δ',
  confidence_definition: 'confidence',
  scoring: 'scoring',
};

/** In the order of tables: what a reader must know first. */
const verdictTexts: Readonly<Record<Verdict, string>> = {
  contradicts: 'CONTRADICTED',
  reverses: 'direction depends',
  same_direction: 'same direction, not always sure',
  holds: 'holds everywhere',
  open: 'nowhere sure',
};

/** What is known of some universes only is not said of all. */
export function verdictText({ verdict, universes, missing }: Conclusion): string {
  const { [verdict]: text } = verdictTexts;
  return missing === 0 ? text : `${text.replace('everywhere', 'where known')} (${universes} of ${universes + missing})`;
}

export const verdictOrder = Object.keys(verdictTexts) as Verdict[];

/** `pass_at_1`, `pass_at_1, readability, nfr-integrated`. */
export function metricText({ metric, dimension, workflow }: Subject): string {
  const places = [dimension, ...(workflow === dimension ? [] : [workflow])].filter((name) => name !== 'function-only');
  return [metric, ...places].join(', ');
}

/** @param isSimulated whether a model is simulated; the figure must say so */
export function subjectText({ model, other }: Subject, isSimulated: boolean): string {
  const text = other === null ? model : `${model} − ${other}`;
  return isSimulated ? `${text} (simulated)` : text;
}
