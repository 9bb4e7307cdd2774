/** Paths of Parquet files in a run's folder. */
import { slug } from './ids.ts';

/**
 * `<table>/study=<s>/model=<slug>/<page>`, to which hash and extension are added. `page` is without study and model.
 */
export const pagePartStem = (table: string, study: string, model: string, page: string): string =>
  `${table}/study=${encodeURIComponent(study)}/model=${slug(model)}/${page}`;

/** `<table>/<run>`, for tables of the whole run. */
export const runPartStem = (table: string, runId: string): string => `${table}/${slug(runId)}`;

/** Replaced files move here, so that a reader of a table's folder gets each row once. */
const supersededFolder = 'superseded/';

export const supersededPath = (path: string): string => `${supersededFolder}${path}`;
export const isSuperseded = (path: string): boolean => path.startsWith(supersededFolder);
/** The original path of a superseded part. */
export const pathBefore = (path: string): string => path.slice(supersededFolder.length);
