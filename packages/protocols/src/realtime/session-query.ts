/** Query parameters in which a key may stand; they are for us. */
const CREDENTIALS = new Set(['key', 'api_key', 'api-key', 'apikey', 'token', 'access_token', 'authorization']);

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

/** Sorts a handshake's query; a parameter that was sent several times has a list of values. */
export function readSessionQuery(query: Readonly<Record<string, unknown>>): SessionQuery {
  const passed = Object.entries(query)
    .filter(([name]) => name !== 'model' && !CREDENTIALS.has(name.toLowerCase()))
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]));
  const refersToVendor = passed.some(([name]) => name === 'call_id');
  const isTranscription = passed.some(([name, value]) => name === 'intent' && value === 'transcription');
  return { passed, namesModel: !refersToVendor && !isTranscription, refersToVendor };
}
