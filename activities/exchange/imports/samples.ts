/** Samples whose texts are replies, or of unknown origin: the study's rule finds the code. */
import type { ReadAnswers } from './import-format.ts';
import { sampleLines } from './sample-lines.ts';

export const readSamples: ReadAnswers = ({ path }) =>
  sampleLines(path, { completion: 'reply', solution: 'reply', recorded: () => [] });
