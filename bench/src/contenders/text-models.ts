/** A protocol that a client or a vendor speaks. */
export type Wire = 'chat' | 'messages';

/** Paths that select how the text vendor responds. */
export const VENDOR_PATHS = {
  buffered: '/buffered',
  first: '/chunks/1/0',
  brief: '/chunks/25/20',
  paced: '/chunks/100/20',
  long: '/chunks/200/20',
} as const;
export type VendorPath = keyof typeof VENDOR_PATHS;

/** Number of events of a stream, and a text that each of them contains. */
export const EVENTS: Record<VendorPath, number> = { buffered: 0, first: 1, brief: 25, paced: 100, long: 200 };
export const EVENT_TEXT = 'the lazy dog';

/** The path that a gateway appends for each protocol. */
export const ENDPOINTS: Record<Wire, string> = { chat: '/v1/chat/completions', messages: '/v1/messages' };

const KINDS = {
  chat: { kind: 'chat-completions', version: '/v1' },
  messages: { kind: 'messages', version: '' },
} as const;

/** Returns the name of the model that reaches the vendor at this path in this protocol. */
export function modelOf(path: VendorPath, wire: Wire): string {
  return `${path}-${wire}`;
}

/** Returns Sluice's upstreams and models for all paths and protocols. Priced models are needed to charge a budget. */
export function textModels(vendorUrl: string, { priced = false } = {}): { upstreams: object; models: object[] } {
  // The cast is safe because these are the table's own keys.
  const paths = Object.keys(VENDOR_PATHS) as VendorPath[];
  const upstreams = Object.fromEntries(
    paths.flatMap((path) =>
      (['chat', 'messages'] as const).map((wire) => {
        const { kind, version } = KINDS[wire];
        return [
          modelOf(path, wire),
          { kind, base_url: vendorUrl + VENDOR_PATHS[path] + version, api_key: 'sk-vendor' },
        ] as const;
      }),
    ),
  );
  const price = priced ? { input: 1.25, cached_input: 0.125, output: 10 } : undefined;
  const models = Object.keys(upstreams).map((id) => ({
    id,
    routes: [{ upstream: id, model: 'vendor-model' }],
    price,
  }));
  return { upstreams, models };
}
