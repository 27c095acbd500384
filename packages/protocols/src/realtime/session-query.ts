/** What of a handshake's query is passed on. */
export interface SessionQuery {
  passed: [name: string, value: string][];
  /**
   * Whether the upstream is told the model: a call has its own, and that of a transcription is chosen in the session
   * (openai-node 7.55, `realtime/internal-base.ts`: exactly one of model, intent and call).
   */
  namesModel: boolean;
  /** Whether it attaches to something that lies at the vendor. */
  refersToVendor: boolean;
}

/**
 * All that is ever passed on. Others stay here: a vendor may have some that name a model or what lies with it, such as
 * `deployment` or `session_id`, and any may hold a credential of ours. The operator's own stand in `base_url`.
 */
const PASSED = ['intent', 'call_id', 'api-version'] as const;

/** Sorts a handshake's query. Of a parameter that was sent several times, in whatever case, the first one counts. */
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
