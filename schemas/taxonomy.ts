/** Themes that a prompt can mention, grouped in categories; data that a user may replace. */
import { z } from 'zod';

const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dot, underscore and hyphen')
  .max(20);

const theme = z.strictObject({
  id: id.describe('The id that a labeller answers with, e.g. 1.1.'),
  name: z.string().min(1).max(80).describe('The theme in a few words.'),
  meaning: z.string().min(1).max(400).describe('What a prompt with this theme says; shown to the labeller.'),
});

export const taxonomySchema = z
  .strictObject({
    version: z.string().min(1).max(80).describe('Version of the taxonomy, stored with every label.'),
    source: z.string().max(400).optional().describe('Source of the taxonomy.'),
    categories: z
      .array(
        z.strictObject({
          id: id.describe('Id of the category.'),
          name: z.string().min(1).max(80).describe('Name of the category.'),
          themes: z.array(theme).min(1).describe('Themes of the category; theme ids are unique over all categories.'),
        }),
      )
      .min(1)
      .describe('Categories of themes.'),
  })
  .refine(({ categories }) => {
    const ids = categories.flatMap(({ themes }) => themes.map((one) => one.id));
    return new Set(ids).size === ids.length;
  }, 'theme ids must be unique');

export type Taxonomy = z.infer<typeof taxonomySchema>;
