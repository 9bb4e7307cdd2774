import { type ScriptTraits, scriptReading, withBracesClosed } from '../extraction/script-reading.ts';
import { definedBy, type Language, noImports, signatureFrom } from './language.ts';

const [fence, otherFences] = ['php', ['php7', 'php8', 'hack']];
const definition = definedBy((name) => String.raw`^(?:<\?php\s+)?function\s+&?${name}\b`, 'im');

/** How PHP programs are recognised in replies. */
export const phpScript: ScriptTraits = {
  fences: [fence, ...otherFences],
  definition,
  anyDefinition: /^function\b/im,
  showing: /^(?:echo\b|print\b|print_r\b|var_dump\b|var_export\b|assert\b|exit\b|die\b)/i,
  texts: { quotes: `'"`, comment: /^(?:#|\/\/)/, heredoc: /<<<\s*(?<quote>["']?)(?<name>\w+)\k<quote>/ },
  withBodyEnded: withBracesClosed,
  withoutWrapping: (text) => {
    const code = text.replace(/^\s*<\?php\b/i, '');
    // Behind text outside of the code, it ends another piece of code.
    return /\?>[\s\S]*\?>/.test(code) ? code : code.replace(/\?>\s*$/, '');
  },
};

export const php: Language = {
  title: 'PHP',
  fence,
  otherFences,
  isScript: true,
  isCompiled: false,
  isInMxeval: true,
  definition,
  signature: signatureFrom(definition),
  imports: noImports,
  reading: scriptReading(phpScript),
  simulated: {
    failing: (name) => `<?php\nfunction ${name}(...$args) {\n    throw new Exception('not implemented');\n}\n`,
    failingBodies: [],
    lookup: {
      open: (name) => `function ${name}(...$given) {\n`,
      answer: (args, value) => `    if ($given === [${args.join(', ')}]) { return ${value}; }\n`,
      close: '}\n',
    },
  },
};
