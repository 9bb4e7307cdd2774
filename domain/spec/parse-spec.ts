/** Parses and checks a spec. Reports all errors at once, with file, line, column, rule and the nearest valid name. */
import { type Spec, specSchema } from '../../schemas/spec.ts';
import { crossFaults } from './cross-faults.ts';
import { withStudyPerEffort } from './efforts.ts';
import { type Fault, numberText, refusal } from './faults.ts';
import { schemaFaults } from './schema-faults.ts';
import { readYaml } from './yaml-text.ts';

/**
 * A study at several efforts comes back as one for each.
 * @param furtherFaults checks a spec that is valid by itself against its files and surroundings
 * @throws InputError listing all errors, one line each
 */
export function parseSpec(
  text: string,
  file: string,
  furtherFaults: (spec: Spec) => readonly Fault[] = () => [],
): Spec {
  const { value, ...places } = readYaml(text, file, '`evenkeel init` writes example specs');
  const parsed = specSchema.safeParse(value);
  if (!parsed.success) {
    const written = (path: readonly PropertyKey[]) => numberText(places.document, path);
    throw refusal(schemaFaults(parsed.error.issues, { value, schema: specSchema, written }), places);
  }
  const faults = [...crossFaults(parsed.data), ...furtherFaults(parsed.data)];
  if (faults.length > 0) throw refusal(faults, places);
  return withStudyPerEffort(parsed.data);
}
