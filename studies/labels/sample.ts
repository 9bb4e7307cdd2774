/** A sample of the summaries for a person to label, and reading the labelled file. */
import { z } from 'zod';
import { InputError } from '../../domain/errors.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import { faultsText } from '../../domain/spec/faults-text.ts';

/** A summary with its text. */
export interface SampledPrompt {
  readonly study: string;
  readonly taskId: string;
  readonly variant: string;
  readonly text: string;
}

/**
 * Draws `count` prompts by seed, each with the same probability, in an order that does not reveal their level.
 */
export function sampleOf(prompts: readonly SampledPrompt[], count: number, seed: number): SampledPrompt[] {
  const next = uniform(seedOf('label sample', seed));
  const pool = [...prompts];
  const wanted = Math.min(count, pool.length);
  for (let place = 0; place < wanted; place += 1) {
    const from = place + Math.floor(next() * (pool.length - place));
    [pool[place], pool[from]] = [pool[from] as SampledPrompt, pool[place] as SampledPrompt];
  }
  return pool.slice(0, wanted);
}

/** The line that a person fills in; `themes` is null until then. */
export const sampleLine = ({ study, taskId, variant, text }: SampledPrompt, taxonomy: Taxonomy): string =>
  JSON.stringify({
    ...{ study, task_id: taskId, variant, prompt: text, themes: null, taxonomy: taxonomy.version },
    choices: taxonomy.categories.flatMap(({ themes }) => themes.map(({ id, name }) => `${id} ${name}`)),
  });

const lineSchema = z.object({
  study: z.string(),
  task_id: z.string(),
  variant: z.string(),
  themes: z.array(z.string()).nullable(),
});

export interface PersonsLabels {
  readonly study: string;
  readonly taskId: string;
  readonly variant: string;
  readonly themes: ReadonlySet<string>;
}

/** Reads the lines with themes; lines with null are not labelled. @throws InputError with file and line */
export function readLabels(
  text: string,
  file: string,
  taxonomyOf: (study: string) => Taxonomy | undefined,
): PersonsLabels[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const place = { file, line: index + 1 };
      const { study, task_id: taskId, variant, themes } = parsedLine(line, place);
      const taxonomy = taxonomyOf(study);
      if (taxonomy === undefined)
        throw new InputError(`no study "${study}" with labels in the run`, { ...place, field: 'study' });
      const known = taxonomy.categories.flatMap((category) => category.themes.map(({ id }) => id));
      // A person may copy a whole choice: only its number counts.
      const ids = themes?.map((theme) => theme.trim().split(/\s/)[0] ?? '') ?? null;
      const unknown = ids?.find((id) => !known.includes(id));
      if (unknown !== undefined)
        throw new InputError(`no theme "${unknown}" in taxonomy ${taxonomy.version}; known: ${known.join(', ')}`, {
          ...place,
          field: 'themes',
        });
      return ids === null ? [] : [{ study, taskId, variant, themes: new Set(ids) }];
    });
}

function parsedLine(line: string, place: { readonly file: string; readonly line: number }): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (error) {
    const why = error instanceof z.ZodError ? faultsText(error) : `not JSON (${(error as Error).message})`;
    const remedy =
      'each line must be from `evenkeel export ID --format label-sample`, with numbers of themes instead of null';
    throw new InputError(`invalid labelled line: ${why}; ${remedy}`, place);
  }
}
