/**
 * Programs in replies, in the languages that run as one file followed by their tests. Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import type { WantedFunction } from '../../../domain/extraction/reading.ts';
import { extractScript } from '../../../domain/extraction/script-reading.ts';
import { cppScript } from '../../../domain/languages/cpp.ts';
import { javascriptScript } from '../../../domain/languages/javascript.ts';
import { perlScript } from '../../../domain/languages/perl.ts';
import { phpScript } from '../../../domain/languages/php.ts';
import { rubyScript } from '../../../domain/languages/ruby.ts';

const contexts = {
  javascript: { entryPoint: 'addOne', prompt: '/**\n * Add one: {x}.\n */\nfunction addOne(x) {\n' },
  php: { entryPoint: 'addOne', prompt: '<?php\n\n/**\n * Add one.\n */\nfunction addOne($x){\n' },
  ruby: { entryPoint: 'add_one', prompt: '\n##\n# Add one.\ndef add_one(x)' },
  perl: { entryPoint: 'add_one', prompt: '\n# Add one.\nsub add_one\n{\n  my ($x) = @_;\n' },
  cpp: { entryPoint: 'addOne', prompt: '#include <vector>\n/* Add one. */\nint addOne(int x) {\n' },
} as const satisfies Record<string, WantedFunction>;

const scripts = { javascript: javascriptScript, php: phpScript, ruby: rubyScript, perl: perlScript, cpp: cppScript };

const functions = {
  javascript: 'function addOne(x) {\n  return x + 1;\n}\n',
  php: 'function addOne($x) {\n    return $x + 1;\n}\n',
  ruby: 'def add_one(x)\n  x + 1\nend\n',
  perl: 'sub add_one {\n  my ($x) = @_;\n  return $x + 1;\n}\n',
  cpp: 'int addOne(int x) {\n  return x + 1;\n}\n',
} as const;
type Language = keyof typeof functions;
const languages = Object.keys(functions) as Language[];
const codeIn = (reply: string, language: Language) => extractScript(reply, contexts[language], scripts[language]);
const flush = (code: string): string => code.replaceAll(/^ +/gm, '');
const fenced = (tag: string, code: string): string => `Here it is:\n\n\`\`\`${tag}\n${code}\`\`\`\nThat is all.`;

describe('the program in a reply', () => {
  const tags: readonly (readonly [Language, string])[] = [
    ...languages.flatMap((language) => [[language, language] as const, [language, ''] as const]),
    ['javascript', 'js'],
    ['ruby', 'rb'],
    ['perl', 'pl'],
    ['cpp', 'c++'],
  ];
  it.each(tags)('in %s is found in a block with the tag "%s"', (language, tag) => {
    expect(codeIn(fenced(tag, functions[language]), language)).toEqual({
      code: functions[language],
      how: 'fenced',
      removed: 0,
    });
  });

  it.each(languages)('in %s may be the whole reply, or between prose', (language) => {
    expect(codeIn(functions[language], language).code).toBe(functions[language]);
    expect(codeIn(`Sure, here you are:\n\n${functions[language]}\nIt adds one`, language).code).toBe(
      functions[language],
    );
  });

  it.each<readonly [Language, string]>([
    ['javascript', 'console.log(addOne(1));\nmodule.exports = { addOne };\naddOne(3);\n'],
    ['php', 'echo addOne(1), "\\n";\nvar_dump(addOne(2));\nassert(addOne(3) === 4);\n'],
    ['ruby', 'puts add_one(1)\nif __FILE__ == $0\n  puts add_one(2)\n  exit\nend\n__END__\nsome notes\n'],
    ['perl', 'print add_one(1), "\\n";\nexit 0;\n__END__\nsome notes\n'],
    ['cpp', 'int main() {\n  return addOne(1);\n}\n'],
  ])('in %s is returned without its main program', (language, main) => {
    const { code, removed } = codeIn(fenced(language, functions[language] + main), language);
    expect(code).toBe(functions[language]);
    expect(removed).toBeGreaterThan(0);
  });

  it.each<readonly [Language, string, string]>([
    ['javascript', '  return x + 1;\n', 'function addOne(x) {\n  return x + 1;\n}\n'],
    ['php', '    return $x + 1;\n}\n', 'function addOne($x){\n    return $x + 1;\n}\n'],
    ['ruby', '  x + 1\n', 'def add_one(x)\n  x + 1\nend\n'],
    ['perl', '  return $x + 1;\n}\n', 'sub add_one\n{\n  my ($x) = @_;\n  return $x + 1;\n}\n'],
    ['cpp', '  return x + 1;\n', 'int addOne(int x) {\n  return x + 1;\n}\n'],
  ])('in %s may be the body of the prompt’s signature', (language, body, whole) => {
    for (const reply of [fenced(language, body), body]) {
      const { code, how } = codeIn(reply, language);
      expect(how).toBe('body');
      expect(flush(code ?? '').endsWith(flush(whole))).toBe(true);
    }
  });

  it('in PHP has no tags, in JavaScript exports nothing, and keeps its imports and helpers', () => {
    expect(codeIn(fenced('php', `<?php\n\n${functions.php}?>\n`), 'php').code).toBe(functions.php);
    const helper = "const _ = require('lodash');\n\nconst one = () => 1;\n\n";
    expect(codeIn(fenced('js', `${helper}export default ${functions.javascript}`), 'javascript').code).toBe(
      helper + functions.javascript,
    );
  });

  it('is the last complete one if a reply has several', () => {
    const corrected = functions.ruby.replace('+ 1', '+ 2');
    expect(codeIn(fenced('ruby', functions.ruby) + fenced('ruby', corrected), 'ruby').code).toBe(corrected);
    expect(codeIn(`${fenced('ruby', functions.ruby)}\n\`\`\`ruby\n${corrected}`, 'ruby').code).toBe(functions.ruby);
  });

  it.each<readonly [string, string]>([
    ['', 'empty'],
    ['I cannot help with that.', 'prose_only'],
    [fenced('haskell', 'addOne = (+ 1)\n'), 'other_language'],
  ])('of %j is reported as %s', (reply, how) => {
    expect(codeIn(reply, 'php').how).toBe(how);
  });
});

// Red before: only the first line was removed, and the rest did not parse.
describe('a text of several lines that is printed after the function', () => {
  it.each<readonly [Language, string]>([
    ['javascript', 'console.log(`\nresult:\n${addOne(1)}\n`);\n'],
    ['javascript', "console.log(`it's ${[1].map((x) => `<${x}>`).join()}\nand more`); // `\n"],
    ['php', 'echo <<<EOT\nhello\n  EOT;\necho "one\ntwo\n";\n'],
    ['php', "print <<<'END'\nthe function\nEND;\n"],
    ['ruby', 'puts <<~EOS\n  hello #{add_one(1)}\nEOS\n'],
    ['ruby', "puts 'one\ntwo'\np add_one(1) # it's\n"],
    ['perl', 'print <<"EOT";\nhello }\nEOT\n'],
    ['perl', 'print "one\ntwo\\"\nthree\n";\n'],
  ])('in %s is removed whole: %s', (language, shown) => {
    const { code } = codeIn(fenced(language, `${functions[language]}${shown}`), language);
    expect(code).toBe(functions[language]);
    expect(codeIn(fenced(language, `${shown}${functions[language]}`), language).code).toBe(functions[language]);
  });

  it.each<readonly [Language, string]>([
    ['javascript', 'console.log(/`/.test(name));\n'],
    ['perl', "print $name =~ /'/;\n"],
    ['ruby', 'puts(%q("))\n'],
  ])('in %s that is misread takes no function with it: %s', (language, shown) => {
    expect(codeIn(fenced(language, `${shown}${functions[language]}`), language).code).toBe(functions[language]);
  });

  it('in PHP may stand outside of the code', () => {
    for (const end of ['?>\n<?= addOne(1) ?>\n', '?>\nOutput: 2\n'])
      expect(codeIn(fenced('php', `<?php\n${functions.php}${end}`), 'php').code).toBe(`${functions.php}${end}`);
  });
});
