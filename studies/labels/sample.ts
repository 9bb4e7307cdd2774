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
  prompt: z.string().optional(),
  themes: z.array(z.string()).nullable(),
  taxonomy: z.string().optional(),
});

export interface PersonsLabels {
  readonly study: string;
  readonly taskId: string;
  readonly variant: string;
  readonly themes: ReadonlySet<string>;
}

/** With its line in the file, from 1. */
export interface LabelledLine extends PersonsLabels {
  readonly line: number;
  /** The text that the person read; null if the line lacks it. */
  readonly prompt: string | null;
}

/**
 * Reads the lines with themes; lines with null are not labelled.
 * @throws InputError with file and line, also for a prompt that is labelled twice or with another taxonomy
 */
export function readLabels(
  text: string,
  file: string,
  taxonomyOf: (study: string) => Taxonomy | undefined,
): LabelledLine[] {
  const read = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      const place = { file, line: index + 1 };
      const { study, task_id: taskId, variant, prompt = null, themes, taxonomy: version } = parsedLine(line, place);
      const taxonomy = taxonomyOf(study);
      if (taxonomy === undefined)
        throw new InputError(`no study "${study}" with labels in the run`, { ...place, field: 'study' });
      if (version !== undefined && version !== taxonomy.version)
        throw new InputError(
          `labelled with taxonomy "${version}"; the run's labels of study "${study}" are of "${taxonomy.version}": ` +
            'label a sample that is exported from this run',
          { ...place, field: 'taxonomy' },
        );
      const ids = themes === null ? null : themeIds(themes, taxonomy, place);
      return ids === null ? [] : [{ study, taskId, variant, prompt, themes: ids, line: index + 1 }];
    });
  refuseDoubles(read, file);
  return read;
}

function themeIds(
  themes: readonly string[],
  { version, categories }: Taxonomy,
  place: { readonly file: string; readonly line: number },
): Set<string> {
  const known = categories.flatMap((category) => category.themes.map(({ id }) => id));
  // A person may copy a whole choice: only its number counts.
  const ids = themes.map((theme) => theme.trim().split(/\s/)[0] ?? '');
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return new Set(ids);
  throw new InputError(`no theme "${unknown}" in taxonomy ${version}; known: ${known.join(', ')}`, {
    ...place,
    field: 'themes',
  });
}

/** Each prompt counts once, and nobody can tell which of two labellings is meant. */
function refuseDoubles(lines: readonly LabelledLine[], file: string): void {
  const seen = new Map<string, LabelledLine>();
  for (const labelled of lines) {
    const prompt = promptKey(labelled);
    const first = seen.get(prompt);
    if (first !== undefined) {
      const same = first.themes.symmetricDifference(labelled.themes).size === 0;
      throw new InputError(
        `labels the same prompt as line ${first.line}, with ${same ? 'the same' : 'other'} themes ` +
          `(${promptName(labelled)}): remove one of the two lines`,
        { file, line: labelled.line },
      );
    }
    seen.set(prompt, labelled);
  }
}

type NamedPrompt = Pick<PersonsLabels, 'study' | 'taskId' | 'variant'>;

export const promptKey = ({ study, taskId, variant }: NamedPrompt): string => JSON.stringify([study, taskId, variant]);

export const promptName = ({ study, taskId, variant }: NamedPrompt): string =>
  `task ${taskId}, variant ${variant}, study ${study}`;

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
