import { type ScriptTraits, scriptReading, withoutFileEnd } from '../extraction/script-reading.ts';
import { definedBy, type Language, noImports, signatureFrom } from './language.ts';

const [fence, otherFences] = ['ruby', ['rb', 'irb']];
const definition = definedBy((name) => String.raw`^def\s+(?:self\.)?${name}\b`);

/** How Ruby programs are recognised in replies. */
export const rubyScript: ScriptTraits = {
  fences: [fence, ...otherFences],
  definition,
  anyDefinition: /^def\b/m,
  showing: /^(?:puts\b|print\b|p\s|p\(|pp\b|exit\b|if\s+__FILE__\s*==|if\s+\$(?:0|PROGRAM_NAME)\s*==)/,
  texts: { quotes: `'"`, comment: /^#/, heredoc: /<<[~-]?(?<quote>["'`]?)(?<name>[A-Z_]\w*)\k<quote>/ },
  withBodyEnded: (text) => (/\nend\s*$/.test(text) ? text : `${text}end\n`),
  withoutWrapping: withoutFileEnd,
};

export const ruby: Language = {
  title: 'Ruby',
  fence,
  otherFences,
  isScript: true,
  isCompiled: false,
  isInMxeval: true,
  definition,
  signature: signatureFrom(definition),
  imports: noImports,
  reading: scriptReading(rubyScript),
  simulated: {
    failing: (name) => `def ${name}(*args)\n  raise NotImplementedError\nend\n`,
    failingBodies: [],
    lookup: {
      open: (name) => `def ${name}(*given)\n`,
      answer: (args, value) => `  return ${value} if given == [${args.join(', ')}]\n`,
      close: 'end\n',
    },
  },
};
