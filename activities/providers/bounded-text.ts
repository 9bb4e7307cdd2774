/** Makes text from outside (an endpoint's failure, a proxy's page) safe to store and print. */
import { stripVTControlCharacters } from 'node:util';

const defaultLongest = 2_000;

/** At most 2,000 characters, or `longest`, without control characters other than line feeds. */
export function boundedText(text: string, longest = defaultLongest): string {
  const clean = stripVTControlCharacters(text.slice(0, 2 * longest)).replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return text.length <= 2 * longest && clean.length <= longest
    ? clean
    : `${clean.slice(0, longest)} … (${text.length} characters)`;
}
