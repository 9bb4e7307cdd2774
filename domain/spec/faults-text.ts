import type { z } from 'zod';

/** What is wrong with a value, in one line: `themes: expected array, received undefined; labels.0: ...`. */
export const faultsText = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => {
      const text = message.replace(/^Invalid input: /, '');
      return path.length === 0 ? text : `${path.map(String).join('.')}: ${text}`;
    })
    .join('; ');
