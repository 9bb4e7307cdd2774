/**
 * Formats of recordings that `import` reads, by name. Each is loaded only when needed,
 * because it loads the query engine.
 */
import type { StudyImporter } from './study-importer.ts';

export const importers = {
  evaloop: async () => (await import('./evaloop/results/importer.ts')).evaloopImporter,
} satisfies Record<string, () => Promise<StudyImporter>>;

export const isImporter = (name: string): name is keyof typeof importers => Object.hasOwn(importers, name);
