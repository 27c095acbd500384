export interface SessionQuery {
  passed: [name: string, value: string][];
  /**
   * Whether the model is sent to the upstream. OpenAI accepts exactly one of model, intent, and call (openai-node 7.55,
   * `realtime/internal-base.ts`).
   */
  namesModel: boolean;
  /** Whether the session refers to data that the vendor stores. */
  refersToVendor: boolean;
}

/**
 * The only forwarded parameters. Others could select a model or stored data (e.g. `deployment` or `session_id`) or
 * contain a credential. Operators set their own parameters in `base_url`.
 */
const FORWARDED = ['intent', 'call_id', 'api-version'] as const;

/** Parameter names are case-insensitive. If a parameter is repeated, the first value is used. */
export function readSessionQuery(query: Readonly<Record<string, unknown>>): SessionQuery {
  const sent = Object.entries(query).toReversed();
  const first = new Map(sent.map(([name, value]) => [name.toLowerCase(), [value].flat()[0]]));
  const passed = FORWARDED.flatMap((name): [string, string][] => {
    const value = first.get(name);
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const refersToVendor = first.has('call_id');
  const isTranscription = first.get('intent') === 'transcription';
  return { passed, namesModel: !refersToVendor && !isTranscription, refersToVendor };
}
