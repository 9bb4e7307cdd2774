/**
 * Checks the template files before a run, because users may change them.
 */
import { z } from 'zod';
import { templateFiles } from './templates.ts';

const text = z.string().trim().min(1);
const phrases = z.array(text).min(1);
const template = { description: text, languageCharacteristics: text, expressionPattern: text };
const mood = z.strictObject({
  ...template,
  interjections: phrases,
  clauses: phrases,
  openers: phrases,
  closers: phrases,
});
const trait = z.strictObject({ ...template, sentences: phrases });
const orientation = z.enum([
  'algorithm_expert',
  'pragmatic_engineer',
  'experimental_innovator',
  'defensive_conservative',
]);
const traits = (...names: readonly [string, ...string[]]) => z.record(z.enum(names), trait);
const axis = z.literal([-1, 0, 1]);
const affect = z.strictObject({ valence: axis, arousal: axis });
const emotion = z.enum(['focused', 'excited', 'confident', 'tired', 'calm', 'anxious', 'frustrated', 'stressed']);

const schemas = {
  'emotions.json': z.record(emotion, mood),
  'personalities.json': z.strictObject({
    technical: z.record(orientation, trait),
    experience: traits('junior_explorer', 'senior_architect'),
    collaboration: traits('logic_driven', 'collaboration_oriented', 'plan_systematic', 'adaptive_flexible'),
  }),
  'contexts.json': traits('complexity', 'collaboration', 'learning'),
  'distances.json': z.record(z.enum(['0.1', '0.2', '0.3']), z.strictObject({ name: text, instruction: text })),
  'affect.json': z.strictObject({ source: text, ...Object.fromEntries(emotion.options.map((name) => [name, affect])) }),
  'lexicon.json': z.record(text, z.tuple([text, text, text, text])),
  'parameter-names.json': z.record(
    orientation,
    z.string().regex(/^[a-z_]*\{name\}[a-z_]*$/, 'letters and _ around {name}'),
  ),
} as const;

/** One line per fault: the file, the place in it, and the rule. Empty if the templates are valid. */
export const templateFaults = (files: Readonly<Record<string, unknown>> = templateFiles): string[] =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    const { error } = schema.safeParse(files[name]);
    return (error?.issues ?? []).map(
      ({ path, message }) => `template file data/promptse/${name}, ${path.join('.') || 'whole'}: ${message}`,
    );
  });
