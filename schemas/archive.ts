/** What an archive of a run may leave out. */

/** `data-sets`: the records of tasks, with their texts and tests. */
export const archiveParts = ['prompts', 'replies', 'data-sets'] as const;
export type ArchivePart = (typeof archiveParts)[number];

/** Stands in an archive where a text was left out, so that no reader takes it for an empty one. */
export const leftOutText = '(left out of this archive)';
