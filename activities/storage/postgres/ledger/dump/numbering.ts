/** The new numbers of what is copied, by the old ones. Old numbers of one store are close together. */
export interface Numbering {
  set(old: number, now: number): void;
  /** Throws for a number that was never set: rows refer only to rows before them. */
  of(old: number): number;
}

export function createNumbering(what: string): Numbering {
  const byOld = new Map<number, Float64Array>();
  const pieceSize = 4096;
  return {
    set(old, now) {
      const piece = Math.floor(old / pieceSize);
      const known = byOld.get(piece) ?? new Float64Array(pieceSize);
      known[old % pieceSize] = now;
      byOld.set(piece, known);
    },
    of(old) {
      const now = byOld.get(Math.floor(old / pieceSize))?.[old % pieceSize] ?? 0;
      if (now === 0) throw new Error(`the copy names ${what} ${old}, which it does not have`);
      return now;
    },
  };
}
