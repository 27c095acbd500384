/** A request field that the upstream's protocol cannot carry. */
export interface Loss {
  /** The client's field name, or the kind of block: `seed`, `tools[web_search]`. */
  field: string;
  /** `dropped`: omitted. `clamped`: moved into the upstream's range. `replaced`: expressed in another way. */
  how: 'dropped' | 'clamped' | 'replaced';
}

export type LossReport = (loss: Loss) => void;
