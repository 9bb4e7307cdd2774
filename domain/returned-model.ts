/** Whether the name that an endpoint answers under is that of the model it was asked for. */

/** What names of one model differ in: a date or a number of its version, a mark of the newest one, a price class. */
const suffix =
  /(?:[-@:.](?:20\d{2}-?\d{2}-?\d{2}|\d{2}-\d{2}-20\d{2}|\d{2}-\d{2}|2[3-9](?:0[1-9]|1[0-2])|[01]\d{3}|00\d|v\d+|latest|preview|exp|stable|free|batch|nitro|floor|beta))+$/;

/** Whom an endpoint of several vendors asks, and where a server keeps its files. */
const plainName = (name: string): string => (name.trim().toLowerCase().split('/').at(-1) ?? '').replace(suffix, '').replaceAll('.', '-');

/** True beyond the usual: a vendor before the name, a date or version behind it, points for hyphens. */
export const isOtherModel = (requested: string, returned: string): boolean => plainName(requested) !== plainName(returned);
