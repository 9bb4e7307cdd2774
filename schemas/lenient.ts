/**
 * Reads answers that are paid for: a side field of a wrong type counts as absent, since asking again would cost again.
 */
import { z } from 'zod';

/** A text that an answer can do without. */
export const sideText = z.string().nullish().catch(null);

/** A name of a model, a version or a backend, cut after 200 characters: it is printed and stored with each reply. */
export const sideName = sideText.transform((name) => (name && name.length > 200 ? `${name.slice(0, 200)}...` : name));

/** Why a text ended. A reason that cannot be read is another than the known ones; the answer has ended all the same. */
export const endReason = z
  .string()
  .nullish()
  .catch(({ value }) => (value === false || value === 0 ? null : 'other'));

/** A list whose unreadable members are left out; unreadable itself if it has members, but none can be read. */
export const readableOf = <Member extends z.ZodType>(member: Member) =>
  z.preprocess((given) => {
    if (!Array.isArray(given)) return given;
    const readable = given.filter((one) => member.safeParse(one).success);
    return readable.length > 0 ? readable : given;
  }, z.array(member));
