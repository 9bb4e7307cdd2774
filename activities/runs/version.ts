/** This program's version, from its package. */
import { readFileSync } from 'node:fs';

const find = (): string => {
  // Three levels up in dist/, two in a clone.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'evenkeel' && version !== undefined) return version;
    } catch {}
  }
  return 'unknown';
};

export const programVersion = find();
