/** The manifest of a run from the text of its file. */
import { type ManifestFile, manifestSchema } from '../schemas/manifest.ts';
import { InputError } from './errors.ts';
import { faultsText } from './spec/faults-text.ts';

/** What to do about a damaged manifest, in every message of such damage. */
export const manifestRemedy = 'restore it from a backup of the run';

const newestFormat = 2;
const readableFormats = [1, newestFormat];

/** Throws `InputError` if a newer version wrote the file, or if it is damaged. */
export function parseManifest(text: string, file: string): ManifestFile {
  const json = parseJson(text, file);
  refuseOtherFormat(json, file);
  const { success, data, error } = manifestSchema.safeParse(json);
  if (success) return data;
  throw new InputError(`damaged or changed by hand; ${manifestRemedy}: ${faultsText(error)}`, {
    file,
  });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = text.trim() === '' ? 'an empty file' : `truncated or modified text (${(cause as Error).message})`;
    throw new InputError(`a manifest must be JSON, got ${found}; ${manifestRemedy}`, { file });
  }
}

function refuseOtherFormat(json: unknown, file: string): void {
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (readableFormats.some((readable) => format === readable)) return;
  if (format === undefined)
    throw new InputError(`has no formatVersion, so it is not the manifest of a run; ${manifestRemedy}`, {
      file,
    });
  throw new InputError(
    `run format ${JSON.stringify(format)}; this program reads format ${newestFormat}: update it (npm install -g ` +
      'evenkeel@latest) and try again',
    { file },
  );
}
