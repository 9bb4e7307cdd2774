/**
 * A description in natural language and pseudocode, tested through code generated from the pseudocode. The paper names
 * the pair but prints no prompts; these are evenkeel's.
 */
import type { DualPair } from './pair.ts';
import { pseudocode } from './pseudocode.ts';

export const prosePseudocode: DualPair = {
  draft: (description) =>
    `Write pseudocode for the following task: \n${description}\n` +
    'Name the function, then give numbered steps in plain words, one step a line, that say everything a programmer ' +
    'needs to write it in any language. Write no code in any programming language. Return only the pseudocode.',
  describe: (draft) =>
    'Use one sentence to summarize the following pseudocode and start with write a python function to:\n' +
    `\`\`\`\n${draft}\n\`\`\`\n\`\`\`\nwrite a python function to\n\`\`\``,
  code: pseudocode.code,
};
