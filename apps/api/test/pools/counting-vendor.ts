import { type ScriptedUpstream, scriptedUpstream } from '../text-rig.ts';

interface Served {
  key: string;
  /** The first message of the conversation. */
  conversation: string;
  at: number;
  status: number;
}

/** A vendor that counts the requests of each key. */
export interface CountingVendor {
  url: string;
  served: Served[];
  /** The response status for a key. Undefined means 200. */
  refuse: Map<string, { status: number; headers?: Record<string, string>; code?: string }>;
  /** The largest number of concurrent requests of a key. */
  maxInFlight(key: string): number;
  keysOf(conversation: string): string[];
  close(): Promise<void>;
}

/** @param ms duration of a response */
export async function countingVendor(ms = 5): Promise<CountingVendor> {
  const served: Served[] = [];
  const refuse: CountingVendor['refuse'] = new Map();
  const inFlight = new Map<string, number>();
  const peaks = new Map<string, number>();
  const upstream: ScriptedUpstream = await scriptedUpstream(({ headers, body }, response) => {
    const key = (headers.authorization ?? '').replace('Bearer ', '');
    // The cast is safe because the tests send text messages.
    const messages = body['messages'] as { content: string }[];
    const refusal = refuse.get(key);
    served.push({
      key,
      conversation: messages[0]?.content ?? '',
      at: performance.now(),
      status: refusal?.status ?? 200,
    });
    const now = (inFlight.get(key) ?? 0) + 1;
    inFlight.set(key, now);
    peaks.set(key, Math.max(peaks.get(key) ?? 0, now));
    response.on('close', () => inFlight.set(key, (inFlight.get(key) ?? 1) - 1));
    if (refusal) {
      const error = { message: 'No.', type: 'error', code: refusal.code ?? null };
      response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
      response.end(JSON.stringify({ error }));
      return;
    }
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'OK' } }];
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', model: 'large', choices, usage }));
    }, ms);
  });
  return {
    url: upstream.url,
    served,
    refuse,
    maxInFlight: (key) => peaks.get(key) ?? 0,
    keysOf: (conversation) =>
      served.filter((one) => one.conversation === conversation && one.status === 200).map(({ key }) => key),
    close: () => upstream.close(),
  };
}
