import { cppProgram } from '../extraction/cpp-answer.ts';
import { type ScriptTraits, scriptReading, withBracesClosed } from '../extraction/script-reading.ts';
import { definedBy, type Language, noImports, signatureFrom } from './language.ts';

const [fence, otherFences] = ['cpp', ['c++', 'cxx', 'cc', 'c', 'h', 'hpp']];
const definition = definedBy((name) => String.raw`^[A-Za-z_][\w:<>,&*\s]*[\s&*]${name}\s*\(`);

/** How C++ programs are recognised in replies. */
export const cppScript: ScriptTraits = {
  fences: [fence, ...otherFences],
  definition,
  anyDefinition:
    /^(?!(?:if|for|while|switch|do|else|return|catch|try)\b)[A-Za-z_][\w:<>,&*\t ]*[\t &*>]\w+\s*\([^;=]*\)\s*\{/m,
  showing: /^(?:int|auto|void)\s+main\s*\(/,
  withBodyEnded: withBracesClosed,
  isBodyAtMargin,
  underPrompt: (code, { prompt, entryPoint }) => cppProgram(code, prompt, entryPoint),
};

export const cpp: Language = {
  title: 'C++',
  fence,
  otherFences,
  isScript: true,
  isCompiled: true,
  isInMxeval: false,
  definition,
  signature: signatureFrom(definition),
  imports: noImports,
  reading: scriptReading(cppScript),
  simulated: {
    failing: (name) => `template <class... Given> int ${name}(Given...) {\n  throw 1;\n}\n`,
    failingBodies: ['    return result_of_nothing;', '    std::exit(0);'],
    lookup: null,
  },
};

/** An unfenced, unindented body: its first and its last line are code. */
function isBodyAtMargin(text: string, prompt: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const code = /[;{}]\s*(?:\/\/.*)?$|^\s*#\s*pragma\b|^\s*\/\//;
  return prompt.trimEnd().endsWith('{') && code.test(lines[0] ?? '') && code.test(lines.at(-1) ?? '');
}
