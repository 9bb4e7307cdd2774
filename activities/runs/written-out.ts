/** Copies values that a spec names by file into the run's own spec, so that a resume does not need the files. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { unreadable } from '../../domain/unreadable.ts';
import { type Spec, type SpecStudy, specSchema } from '../../schemas/spec.ts';
import { rulesOf } from '../../studies/index.ts';
import type { WrittenOut } from '../../studies/rules.ts';
import { parsedRecord } from '../exchange/parsed-record.ts';

/** @throws InputError for a file that cannot be read or does not match its setting */
export async function withFilesWrittenOut(spec: Spec, folder: string): Promise<Spec> {
  const studies = await Promise.all(spec.studies.map((study) => writtenOut(study, folder)));
  return specSchema.parse({ ...spec, studies });
}

async function writtenOut(study: SpecStudy, folder: string): Promise<object> {
  const { writtenOut: settings = [], fileSettings } = rulesOf(study);
  const files = fileSettings?.(study) ?? [];
  const values = settings.flatMap((one) =>
    files.flatMap(({ setting, file }) =>
      setting === one.setting ? [readSetting(resolve(folder, file), study.name, one)] : [],
    ),
  );
  return { ...study, settings: { ...study.settings, ...Object.fromEntries(await Promise.all(values)) } };
}

async function readSetting(
  file: string,
  study: string,
  { setting, what, schema }: WrittenOut,
): Promise<readonly [string, unknown]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(unreadable(error), { file, field: `${setting} of study ${study}` });
  });
  return [setting, parsedRecord(text, schema, what, { file })];
}
