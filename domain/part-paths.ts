/** Where in a run's folder its Parquet parts lie. */
import { slug } from './ids.ts';

/** `<table>/study=<s>/model=<slug>/<page>`; `page` is the page's name within its study and model. Revision and hash follow. */
export const pagePartStem = (table: string, study: string, model: string, page: string): string =>
  `${table}/study=${encodeURIComponent(study)}/model=${slug(model)}/${page}`;

/** `<table>/<run>`, for tables of the whole run. */
export const runPartStem = (table: string, runId: string): string => `${table}/${slug(runId)}`;

/** Where parts go that newer ones stand for: whoever reads a table's folder gets each row once. */
const supersededFolder = 'superseded/';

export const supersededPath = (path: string): string => `${supersededFolder}${path}`;
export const isSuperseded = (path: string): boolean => path.startsWith(supersededFolder);
/** The path that a superseded part had. */
export const pathBefore = (path: string): string => path.slice(supersededFolder.length);
