/** Points of a line's life, and of the end of its segment, at which a worker can kill itself. */
export const KILL_POINTS = [
  'before the intent',
  'after the intent',
  'during the call',
  'after the response',
  'before the result',
  'after the result',
  'after the part',
  'after the segment',
] as const;

export type KillPoint = (typeof KILL_POINTS)[number];

/** Points that a segment reaches only once. */
export const SEGMENT_POINTS: ReadonlySet<KillPoint> = new Set(['after the part', 'after the segment']);
