/** The languages that programs may be written in, one line each. */
import type { ProgramLanguage } from '../../schemas/program.ts';
import { cpp } from './cpp.ts';
import { javascript } from './javascript.ts';
import type { Language } from './language.ts';
import { perl } from './perl.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';

export const languages: Readonly<Record<ProgramLanguage, Language>> = {
  python,
  javascript,
  php,
  ruby,
  perl,
  cpp,
};

/** Python by default. */
export const languageOf = (name: ProgramLanguage | undefined): Language => languages[name ?? 'python'];
