/** What is particular to the text of each programming language: its name, how models mark it in a reply, and how a function begins. */
import type { ProgramLanguage } from '../schemas/program.ts';

export interface LanguageText {
  /** As prompts write it. */
  readonly title: string;
  /** The word behind the opening marks of a fenced block. */
  readonly fence: string;
  /** Other words that models put there. */
  readonly otherFences: readonly string[];
  /** Matches the beginning of the function's definition, at a line's start. `name` holds word characters only. */
  definition(name: string): RegExp;
}

/** `name` of functions is matched as it is in languages that tell cases apart. */
const definedBy = (pattern: (name: string) => string, flags = 'm') => ({
  definition: (name: string) => new RegExp(pattern(name), flags),
});

export const languageTexts: Readonly<Record<ProgramLanguage, LanguageText>> = {
  python: {
    title: 'Python',
    fence: 'python',
    otherFences: ['python3', 'py'],
    ...definedBy((name) => String.raw`^(?:async\s+)?def\s+${name}\b|^${name}\s*=`),
  },
  javascript: {
    title: 'JavaScript',
    fence: 'javascript',
    otherFences: ['js', 'node', 'nodejs', 'jsx', 'mjs', 'cjs', 'typescript', 'ts'],
    ...definedBy(
      (name) =>
        String.raw`^(?:export\s+(?:default\s+)?)?(?:async\s+)?function\s*\*?\s*${name}\b|^(?:export\s+)?(?:const|let|var)\s+${name}\s*=|^${name}\s*=`,
    ),
  },
  php: {
    title: 'PHP',
    fence: 'php',
    otherFences: ['php7', 'php8', 'hack'],
    ...definedBy((name) => String.raw`^(?:<\?php\s+)?function\s+&?${name}\b`, 'im'),
  },
  ruby: {
    title: 'Ruby',
    fence: 'ruby',
    otherFences: ['rb', 'irb'],
    ...definedBy((name) => String.raw`^def\s+(?:self\.)?${name}\b`),
  },
  perl: {
    title: 'Perl',
    fence: 'perl',
    otherFences: ['pl', 'perl5'],
    ...definedBy((name) => String.raw`^sub\s+${name}\b`),
  },
  cpp: {
    title: 'C++',
    fence: 'cpp',
    otherFences: ['c++', 'cxx', 'cc', 'c', 'h', 'hpp'],
    ...definedBy((name) => String.raw`^[A-Za-z_][\w:<>,&*\s]*[\s&*]${name}\s*\(`),
  },
};

/** The language's own words behind an opening fence, in lower case. */
export const fenceTags = (language: ProgramLanguage): ReadonlySet<string> =>
  new Set([languageTexts[language].fence, ...languageTexts[language].otherFences]);
