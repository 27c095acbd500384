/** A vendor that is on without a configuration file, spelled as in `sluice.yaml`. */
export interface WellKnownVendor {
  /** Name of its upstream. */
  name: string;
  /** Its upstream. When a credential's variable is not set, the vendor is off. */
  upstream: Readonly<Record<string, string>>;
  models: readonly { id: string; routes: readonly { upstream: string; model: string }[] }[];
}

/** The stand-in vendor. Its credential has a default: it is always at hand. */
export const SANDBOX: WellKnownVendor = {
  name: 'sandbox',
  upstream: {
    kind: 'videos',
    base_url: '${SLUICE_SANDBOX_URL:-http://127.0.0.1:8079}/v1',
    api_key: '${SLUICE_SANDBOX_KEY:-sk-sandbox}',
  },
  models: [{ id: 'sandbox-video', routes: [{ upstream: 'sandbox', model: 'sandbox-video' }] }],
};

/** Vendors that their environment variables switch on when there is no configuration file. */
export const WELL_KNOWN_VENDORS: readonly WellKnownVendor[] = [];
