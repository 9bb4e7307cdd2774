import type { RowStream } from '../row-stream.ts';

/** Yields blocks of lines, without the last line end. @param plain makes a text harmless for a terminal */
export type RowFormat = (
  rows: Pick<RowStream, 'columns' | 'batches'>,
  plain: (text: string) => string,
) => AsyncGenerator<string>;
