/** What a multiverse says of models that differences leave out. */
import { conditionsText } from '../across/conditions-text.ts';
import { noValues } from '../across/known-sides.ts';
import type { Found, LeftOut } from './findings.ts';
import { quantityName } from './sides-with-values.ts';

/**
 * A line for each metric and the models that it leaves out.
 * @param readings the run's verdicts, as every combination of choices reads them
 */
export function leftNotes(study: string, readings: readonly Found[]): string[] {
  const each = readings.flatMap(({ left }, reading) => left.map((one) => ({ ...one, reading })));
  const quantities = [...Map.groupBy(each, (one) => JSON.stringify([quantityName(one), one.models])).values()];
  const said = quantities.flatMap((own) => {
    const [one] = own;
    const isEverywhere = new Set(own.map(({ reading }) => reading)).size === readings.length;
    return one === undefined ? [] : [{ one, text: leftText(one, isEverywhere) }];
  });
  const compared = readings.flatMap(({ findings }) => findings.map(({ subject }) => ({ ...subject, suite: null })));
  return [...Map.groupBy(said, ({ text }) => text)].map(([text, own]) => {
    const ofMetric = compared.filter(({ metric }) => metric === own[0]?.one.metric);
    const conditions = conditionsText(
      own.map(({ one }) => ({ ...one, suite: null })),
      ofMetric,
    );
    return `study ${study}${conditions}, ${text}`;
  });
}

function leftText({ metric, models, only }: LeftOut, isEverywhere: boolean): string {
  const where = isEverywhere ? '' : ' in some universes';
  if (only !== undefined) return `${metric}: only ${only} has a value of any task${where}: nothing is compared there`;
  return `${metric}: ${noValues(models)}${where}: left out of differences`;
}
