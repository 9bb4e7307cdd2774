/** What strangers say (an endpoint's failure, a proxy's page) as it may be stored and printed. */

const longest = 2_000;
/** Sequences by which a terminal is steered, and all control characters but the end of a line. */
// eslint-disable-next-line no-control-regex
const controls = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** At most 2,000 characters, without control characters. */
export function boundedText(text: string): string {
  const clean = text.slice(0, 2 * longest).replace(controls, ' ');
  return text.length <= 2 * longest && clean.length <= longest ? clean : `${clean.slice(0, longest)} … (${text.length} characters)`;
}
