/** Addresses of a page's parts, made from their titles, so that everything with a title can be linked to. */
import type { Part } from '../part.ts';

const longest = 60;

/**
 * The parts with an id each where they have a title and no id: `loops/survival`; a second part of that name gets
 * `loops/survival-2`. @param page the page's name
 */
export function withAnchors(page: string, parts: readonly Part[]): Part[] {
  const counts = new Map<string, number>();
  const idOf = (title: string): string => {
    const id = `${page}/${slugOf(title)}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
  const anchored = (part: Part): Part => {
    const own = 'title' in part && part.title !== undefined && part.id === undefined ? { id: idOf(part.title) } : {};
    return part.kind === 'section' ? { ...part, ...own, parts: part.parts.map(anchored) } : { ...part, ...own };
  };
  return parts.map(anchored);
}

/** Lower-case letters and digits, joined by hyphens. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-|-$/g, '') || 'part';
