/** Code and tests that describe it. The prompts are evenkeel's. */
import type { DualPair } from './pair.ts';

export const tests: DualPair = {
  describe: (code) =>
    'Summarize what the following code does by tests alone: ten assert statements in Python, ' +
    'one a line, that call the function with different arguments, edge cases among them, ' +
    `and compare what comes back with the literal value.\n\`\`\`\n${code}\n\`\`\`\nReturn only the assert statements.`,
  code: (description) =>
    `Generate Python code that passes the following tests: \n${description}\n` +
    'Return only the code, without explanations or comments.',
};
