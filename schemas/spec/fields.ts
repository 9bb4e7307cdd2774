/** Fields shared by several parts of a spec. */
import { z } from 'zod';
import { isOwnName, ownNameRule } from './inherited.ts';
import { reasoningEfforts } from './parameters.ts';

const nameRule = 'must be letters, digits, dots, underscores, spaces and hyphens, starting with a letter or digit';
/** Most characters of a name. */
export const longestName = 80;

export const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._ -]*$/, nameRule)
  .max(longestName)
  .refine(isOwnName, ownNameRule);

export const studyName = name.describe('The study’s name in every table. Unique, also if case is ignored.');
export const studyModels = z
  .array(z.string())
  .min(1)
  .optional()
  .describe('Ids of the models under study. Default: all except those with study: false.');
export const topP = z.number().min(0).max(1).nullable().describe('Nucleus sampling; null leaves it unsent.');
export const temperature = z.number().min(0).max(2).nullable().describe('Sampling temperature; null leaves it unsent.');
export const maxTokens = z.int().min(1).nullable().describe('Most tokens of an answer; null leaves it unsent.');

export const efforts = z
  .array(z.enum(reasoningEfforts))
  .min(1)
  .optional()
  .describe(
    'Reasoning efforts at which the models under study are asked. With several, each becomes a study of its own, ' +
      'named NAME-EFFORT, and the report compares them with their cost. maxTokens is then not sent, because thoughts ' +
      'count in it. Default: no effort is sent, or the model’s own.',
  );

export const extractionNames = ['paper', 'last-defining', 'strict'] as const;
export type ExtractionName = (typeof extractionNames)[number];
export const extraction = z
  .enum(extractionNames)
  .optional()
  .describe(
    'Which code of a reply counts. paper: by the published framework’s own rule; last-defining: the last block ' +
      'that defines the function, cleaned up; strict: the only block, and no code if there are more. See ' +
      'docs/extraction.md. Default: paper.',
  );
export const maxReferenceMs = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Excludes tasks whose reference takes longer than this on this machine, over all suites, milliseconds: their ' +
      'programs may take as long. References are measured when the run is created; `plan`, table `tasks` and the ' +
      'report name the excluded tasks. Default: none is excluded.',
  );
