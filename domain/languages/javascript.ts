import { type ScriptTraits, scriptReading, withBracesClosed } from '../extraction/script-reading.ts';
import { definedBy, type Language, noImports, signatureFrom } from './language.ts';

const [fence, otherFences] = ['javascript', ['js', 'node', 'nodejs', 'jsx', 'mjs', 'cjs', 'typescript', 'ts']];
const definition = definedBy(
  (name) =>
    String.raw`^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\s*\*?\s*${name}\b` +
    String.raw`|^(?:export\s+)?(?:const|let|var)\s+${name}\s*=|^${name}\s*=`,
);

/** How JavaScript programs are recognised in replies. */
export const javascriptScript: ScriptTraits = {
  fences: [fence, ...otherFences],
  definition,
  anyDefinition: /^(?:async\s+)?function\b|=>\s*\{?\s*$/m,
  showing: /^(?:console\.|module\.exports\b|exports\.|export\s*[{*]|export\s+default\s+\w+\s*;|assert\b|process\.)/,
  texts: { quotes: '`', comment: /^\/\//, heredoc: null },
  withBodyEnded: withBracesClosed,
  // Removes an ES module's exports.
  withoutWrapping: (text) =>
    text.replaceAll(/^export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm, ''),
};

export const javascript: Language = {
  title: 'JavaScript',
  fence,
  otherFences,
  isScript: true,
  isCompiled: false,
  isInMxeval: true,
  definition,
  signature: signatureFrom(definition),
  imports: noImports,
  reading: scriptReading(javascriptScript),
  simulated: {
    failing: (name) => `function ${name}() {\n  throw new Error('not implemented');\n}\n`,
    failingBodies: [],
    lookup: {
      open: (name) => `function ${name}(...given) {\n  const { isEqual } = require('lodash');\n`,
      answer: (args, value) => `  if (isEqual(given, [${args.join(', ')}])) return ${value};\n`,
      close: '}\n',
    },
  },
};
