/** The query parameters of a handshake that are passed on. */
export interface SessionQuery {
  passed: [name: string, value: string][];
  /**
   * Whether the upstream receives the model. A call has its own, and a transcription session selects it later
   * (openai-node
   * 7.55, `realtime/internal-base.ts`: exactly one of model, intent, and call).
   */
  namesModel: boolean;
  /** Whether the session refers to the vendor's state. */
  refersToVendor: boolean;
}

/**
 * The only parameters that are passed on. A vendor may have others that select a model or its state, such as
 * `deployment`
 * or `session_id`, and any may hold a credential. Operators set their own in `base_url`.
 */
const PASSED = ['intent', 'call_id', 'api-version'] as const;

/** Reads a handshake's query. The first value of a repeated parameter counts, whatever its case. */
export function readSessionQuery(query: Readonly<Record<string, unknown>>): SessionQuery {
  const sent = Object.entries(query).toReversed();
  const first = new Map(sent.map(([name, value]) => [name.toLowerCase(), [value].flat()[0]]));
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = first.get(name);
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const refersToVendor = first.has('call_id');
  const isTranscription = first.get('intent') === 'transcription';
  return { passed, namesModel: !refersToVendor && !isTranscription, refersToVendor };
}
