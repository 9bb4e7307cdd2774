/**
 * The formats in which a run can be exported, one entry each. Their readers are elsewhere,
 * with the code that uses the files.
 */
import type { Run } from '../runs/runs.ts';
import { labelSampleLines } from '../labels/sample.ts';
import { replayLines } from './export-replay.ts';
import { variantLines } from './export-variants.ts';

export interface ExportFormat {
  /** For `export --help`. */
  readonly about: string;
  /**
   * Lines of JSON, each ending with a line feed.
   * @param model limits the export to the answers of this model; null exports all
   */
  lines(run: Run, model: string | null): Iterable<string>;
}

export const exportFormats = {
  replay: { about: 'answers, for models with provider: replay', lines: replayLines },
  variants: { about: 'prompt variants, for the setting variantSet', lines: variantLines },
  'label-sample': { about: 'a sample of prompts for a person to label, for agree', lines: labelSampleLines },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof exportFormats;
export const isExportFormat = (name: string): name is ExportFormatName => Object.hasOwn(exportFormats, name);
