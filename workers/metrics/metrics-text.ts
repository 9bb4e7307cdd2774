/** Prometheus' text format: joins what several processes expose into one document. */

interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Each family of metrics once, with the samples of all texts, as the format demands. The samples must differ by their
 * labels already.
 */
export function joinedMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) addTo(families, text);
  return [...families.values()]
    .filter(({ samples }) => samples.length > 0)
    .map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`)
    .join('');
}

function addTo(families: Map<string, Family>, text: string): void {
  let current: Family = { head: [], samples: [] };
  for (const line of text.split('\n')) {
    const [, what = '', name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (name !== '') {
      current = families.get(name) ?? { head: [], samples: [] };
      families.set(name, current);
      if (!current.head.some((known) => known.startsWith(`# ${what} `))) current.head.push(line);
    } else if (line !== '' && !line.startsWith('#')) current.samples.push(line);
  }
}
