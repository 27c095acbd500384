/** All processes must use the same settings. */
export interface GroupSettings {
  /** Maximum groups of an owner that have not ended. */
  perOwner: number;
  /** Time for which the record of a group that has ended is stored. */
  retentionMs: number;
}
