/** The contract of a format in which a run can be exported. */
import type { ArchivePart } from '../../../schemas/archive.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import type { Run } from '../../runs/opened/run.ts';

/** The tables of one run, and what of them is wanted. */
export interface ExportSource {
  readonly database: RunDatabase;
  /** Null: all. */
  readonly study: string | null;
  readonly model: string | null;
  /** Told how many answers have been read. */
  readonly onAnswers?: (read: number) => void;
}

/**
 * Lines of JSON from plan and ledger, each ending with a line feed.
 * @param model limits the export to the answers of this model; null exports all
 */
export type WriteReplies = (run: Run, model: string | null) => AsyncIterable<string>;
/** Pieces of a text. Throws `InputError` for a run that the format cannot hold. */
export type WriteText = (source: ExportSource) => AsyncIterable<string>;
/** Writes a whole file and gives the number of rows or samples in it. The source can copy to this file. */
export type WriteFile = (source: ExportSource, file: string) => Promise<number>;

/** A file below the folder that the user named, with `/` between the parts of its path. */
export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}

/** Files, and the number of answers in them. */
export interface ExportedFolder {
  readonly answers: number;
  readonly files: readonly ExportedFile[];
}
export type WriteFolder = (source: ExportSource) => Promise<ExportedFolder>;

interface About {
  /** For `export --help`. */
  readonly about: string;
  /** What it takes from tables: an archive without it cannot be exported so. */
  readonly needs?: readonly ArchivePart[];
}

/** Each writer is loaded when needed: `--help` needs none. `whenEmpty` says why a file has no lines. */
export type ExportFormat = About &
  (
    | { readonly kind: 'replies'; readonly load: () => Promise<WriteReplies>; readonly whenEmpty: string }
    | { readonly kind: 'text'; readonly load: () => Promise<WriteText> }
    | { readonly kind: 'file'; readonly load: () => Promise<WriteFile> }
    | { readonly kind: 'folder'; readonly load: () => Promise<WriteFolder> }
  );
