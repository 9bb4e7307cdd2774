/** What prompt details are about (PartialOrderEval, appendix F): categories of themes, as data that a user may replace. */
import { z } from 'zod';

const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dot, underscore and hyphen')
  .max(20);

const theme = z.strictObject({
  id: id.describe('What a labeller answers with: 1.1.'),
  name: z.string().min(1).max(80).describe('The theme in a few words.'),
  meaning: z.string().min(1).max(400).describe('What a prompt with this theme says: shown to the labeller.'),
});

export const taxonomySchema = z
  .strictObject({
    version: z.string().min(1).max(80).describe('Its name on every label.'),
    source: z.string().max(400).optional().describe('Where it comes from.'),
    categories: z
      .array(
        z.strictObject({
          id: id.describe('Of the category.'),
          name: z.string().min(1).max(80).describe('Of the category.'),
          themes: z.array(theme).min(1).describe('Its themes; ids are unique over all categories.'),
        }),
      )
      .min(1)
      .describe('What prompt details are about.'),
  })
  .refine(({ categories }) => {
    const ids = categories.flatMap(({ themes }) => themes.map((one) => one.id));
    return new Set(ids).size === ids.length;
  }, 'theme ids are unique');

export type Taxonomy = z.infer<typeof taxonomySchema>;
