/** All processes must use the same settings. */
export interface BatchSettings {
  /** Maximum batches of an owner that have not ended. */
  perOwner: number;
  /** Maximum lines of an input file. */
  maxLines: number;
  /** Maximum bytes of a line. */
  maxLineBytes: number;
  /** Maximum bytes of an input file. */
  maxInputBytes: number;
  /** Time for which the record of a batch that has ended is stored. */
  retentionMs: number;
}
