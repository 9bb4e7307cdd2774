/** How far a check has come. */

export interface VerifyProgress {
  readonly files: number;
  readonly allFiles: number;
  /** Of files and of the ledger. */
  readonly bytes: number;
  readonly allBytes: number;
}

export interface ProgressCount {
  /** Call after each file. */
  file(bytes: number): void;
  /** Call while the ledger is read. */
  ledger(bytes: number): void;
}

/** @param tell called for each file, and now and then in between */
export function countProgress(
  { allFiles, allBytes }: Pick<VerifyProgress, 'allFiles' | 'allBytes'>,
  tell: (progress: VerifyProgress) => void,
): ProgressCount {
  let [files, bytes] = [0, 0];
  const told = (): void => tell({ files, allFiles, bytes, allBytes });
  return {
    file: (more) => {
      files += 1;
      bytes += more;
      told();
    },
    ledger: (more) => {
      bytes += more;
      told();
    },
  };
}
