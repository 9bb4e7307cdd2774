/** An external ranking of models, read from a file and compared with a study's ranking. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { InputError } from '../domain/errors.ts';
import { parseJsonDocument } from '../domain/json-document.ts';
import { faultsText } from '../domain/spec/faults-text.ts';
import { unreadable } from '../domain/unreadable.ts';

const rankedModel = z.union([
  z.strictObject({ model: z.string().min(1), place: z.number().min(1) }),
  z.strictObject({ model: z.string().min(1), score: z.number() }),
]);
const rankingFile = z.strictObject({
  name: z.string().min(1),
  source: z.string().optional(),
  /** Either all with places (1 is best) or all with scores (more is better). `model` is the id in the spec. */
  models: z.array(rankedModel).min(2),
});
export type ExternalRanking = Omit<z.infer<typeof rankingFile>, 'models'> & {
  readonly scores: ReadonlyMap<string, number>;
};

/**
 * Throws InputError for a file that cannot be read, does not match the schema, mixes places with
 * scores, or names a model twice.
 */
export async function readRanking(file: string): Promise<ExternalRanking> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(unreadable(error), { file });
  });
  const { success, data, error } = rankingFile.safeParse(parseJsonDocument(text, file));
  if (!success) throw new InputError(`invalid ranking: ${faultsText(error)}`, { file });
  const { models, ...about } = data;
  const placed = models.filter((model) => 'place' in model).length;
  if (placed !== 0 && placed !== models.length)
    throw new InputError('mixes places and scores; give every model a place or every model a score', { file });
  const scores = new Map(models.map((model) => [model.model, 'place' in model ? -model.place : model.score]));
  if (scores.size < models.length) throw new InputError('names a model twice', { file });
  return { ...about, scores };
}
