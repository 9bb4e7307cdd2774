import { InputError } from '../domain/errors.ts';

/** @param field the option's name, for the message */
export function checkedPort(text: string, field: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InputError(`must be a port from 0 to 65535; got "${text}"`, { field });
}
