/** A request field that the upstream's protocol does not support, or a response field that the client's does not. */
export interface Loss {
  /** The sender's field name, or the kind of block (e.g. `seed`, `tools[web_search]`). */
  field: string;
  /** `dropped`: omitted. `clamped`: moved into the upstream's range. `replaced`: sent as a different field or value. */
  how: 'dropped' | 'clamped' | 'replaced';
}

export type LossReport = (loss: Loss) => void;
