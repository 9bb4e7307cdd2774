/** Code and pseudocode. The paper names the pair but prints no prompts; these are evenkeel's. */
import type { DualPair } from './pair.ts';

export const pseudocode: DualPair = {
  describe: (code) =>
    'Summarize the following code as pseudocode: numbered steps in plain words, one step a line, that say ' +
    'everything a programmer needs to write it again in any language. Write no code in any programming language.\n' +
    `\`\`\`\n${code}\n\`\`\`\nReturn only the pseudocode.`,
  code: (description) =>
    `Generate Python code for the following pseudocode: \n${description}\n` +
    'Return only the code, without explanations or comments.',
};
