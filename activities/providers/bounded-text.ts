/** What strangers say (an endpoint's failure, a proxy's page) as it may be stored and printed. */
import { stripVTControlCharacters } from 'node:util';

const longest = 2_000;

/** At most 2,000 characters, without control characters but the ends of lines. */
export function boundedText(text: string): string {
  const clean = stripVTControlCharacters(text.slice(0, 2 * longest)).replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return text.length <= 2 * longest && clean.length <= longest ? clean : `${clean.slice(0, longest)} … (${text.length} characters)`;
}
