/** Something of a request that the upstream's protocol cannot carry. */
export interface Loss {
  /** The field as the client spelled it, or the kind of block: `seed`, `tools[web_search]`, `reasoning`. */
  field: string;
  /** `dropped`: left out. `clamped`: moved into the upstream's range. `replaced`: said in another way. */
  how: 'dropped' | 'clamped' | 'replaced';
}

/** Where decoders and encoders tell what is lost. */
export type LossReport = (loss: Loss) => void;
