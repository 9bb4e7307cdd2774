/** Whether the model name in a reply means the requested model. */
import { anyOf } from './any-of.ts';

/** How names of the same model may differ: a date or version number, a mark such as `latest`, a price class. */
const suffix = new RegExp(
  `(?:[-@:.]${anyOf(
    /20\d{2}-?\d{2}-?\d{2}|\d{2}-\d{2}-20\d{2}|\d{2}-\d{2}|2[3-9](?:0[1-9]|1[0-2])/,
    /[01]\d{3}|00\d|v\d+/,
    /latest|preview|exp|stable/,
    /free|batch|nitro|floor|beta/,
  )})+$`,
);

/** Removes a vendor or a server's folder before the name, and the suffix. */
const plainName = (name: string): string =>
  (name.trim().toLowerCase().split('/').at(-1) ?? '').replace(suffix, '').replaceAll('.', '-');

/** False for usual differences: a vendor before the name, a date or version after it, dots instead of hyphens. */
export const isOtherModel = (requested: string, returned: string): boolean =>
  plainName(requested) !== plainName(returned);
