import { type ScriptTraits, scriptReading, withBracesClosed, withoutFileEnd } from '../extraction/script-reading.ts';
import { definedBy, type Language, noImports, signatureFrom } from './language.ts';

const [fence, otherFences] = ['perl', ['pl', 'perl5']];
const definition = definedBy((name) => String.raw`^sub\s+${name}\b`);

/** How Perl programs are recognised in replies. */
export const perlScript: ScriptTraits = {
  fences: [fence, ...otherFences],
  definition,
  anyDefinition: /^sub\s+\w/m,
  showing: /^(?:print\b|printf\b|say\b|main\s*\(|exit\b|__PACKAGE__->)/,
  texts: { quotes: `'"`, comment: /^#/, heredoc: /<<~?(?<quote>["']?)(?<name>[A-Z_]\w*)\k<quote>/ },
  withBodyEnded: withBracesClosed,
  withoutWrapping: withoutFileEnd,
};

export const perl: Language = {
  title: 'Perl',
  fence,
  otherFences,
  isScript: true,
  isCompiled: false,
  isInMxeval: true,
  definition,
  signature: signatureFrom(definition),
  imports: noImports,
  reading: scriptReading(perlScript),
  simulated: {
    failing: (name) => `sub ${name} {\n  die "not implemented";\n}\n`,
    failingBodies: [],
    lookup: {
      open: (name) => `use Data::Compare;\nsub ${name} {\n  my @given = @_;\n`,
      answer: (args, value) => `  return ${value} if Compare(\\@given, [${args.join(', ')}]);\n`,
      close: '}\n',
    },
  },
};
