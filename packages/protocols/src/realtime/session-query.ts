export interface SessionQuery {
  passed: [name: string, value: string][];
  /**
   * Whether the upstream receives the model. OpenAI accepts exactly one of model, intent, and call (openai-node 7.55,
   * `realtime/internal-base.ts`).
   */
  namesModel: boolean;
  /** Whether the session refers to the vendor's state. */
  refersToVendor: boolean;
}

/**
 * Others are not passed on: they may select a model or the vendor's state, such as `deployment` or `session_id`, or
 * contain a credential. Operators set their own in `base_url`.
 */
const PASSED = ['intent', 'call_id', 'api-version'] as const;

/** The first value of a repeated parameter counts, whatever its case. */
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
