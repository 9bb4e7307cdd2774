/** Fields that several parts of a spec have. */
import { z } from 'zod';

const nameRule = 'letters, digits, dot, underscore, space and hyphen, starting with a letter or digit';
export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._ -]*$/, nameRule)
  .max(80);

export const studyName = name.describe('The study’s name in every table. Unique.');
export const studyModels = z
  .array(z.string())
  .min(1)
  .optional()
  .describe('Ids of the models under study. Default: all but those with study: false.');
export const topP = z.number().min(0).max(1).nullable().describe('Nucleus sampling; null is not sent.');
export const temperature = z.number().min(0).max(2).nullable().describe('Sampling temperature; null is not sent.');
export const maxTokens = z.int().min(1).nullable().describe('Most tokens of an answer; null is not sent.');

export const extractionNames = ['paper', 'last-defining', 'strict'] as const;
export type ExtractionName = (typeof extractionNames)[number];
export const extraction = z
  .enum(extractionNames)
  .optional()
  .describe(
    'Which code of a reply counts: paper, the framework’s own rule; last-defining, the last block that defines the function, tidied; strict, exactly one block. See docs/extraction.md. Default: paper.',
  );
export const maxReferenceMs = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Leaves out tasks whose reference takes longer on this machine, over all suites, milliseconds: programs of theirs may take as long. They are measured when the run is made, and named in `plan`, table `tasks` and the report. Default: none is left out.',
  );
