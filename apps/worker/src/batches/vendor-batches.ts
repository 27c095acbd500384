import type { LineCharge, LineResponse, ServeLine, VendorBatches } from '@sluice/batches';
import { accountName, GatewayError, unavailableMessage } from '@sluice/canonical';
import type { Config, ModelCatalog } from '@sluice/config';
import type { DueCharge, RecordedUsage } from '@sluice/limits';
import { textProtocolOf } from '@sluice/protocols';
import type { Upstreams } from '@sluice/upstreams';
import type { LazyInternalApi } from '../stored-requests/lazy-internal-api.ts';
import { RunUsage } from '../stored-requests/run-usage.ts';

/** The configuration that decides which batches vendors run. A reload replaces it. */
export interface VendorVersion {
  catalog: ModelCatalog;
  upstreams: Config['upstreams'];
  accounts: Upstreams['accounts'];
}

/** @param charge records usage that is due */
export function vendorBatches(
  version: () => VendorVersion,
  charge: (usage: RecordedUsage, due: DueCharge) => Promise<boolean>,
): VendorBatches {
  return {
    accountOf({ id, endpoint, model }) {
      // Other requests are sent by workers, because the API does not encode them for batches.
      if (textProtocolOf(endpoint) === undefined) return undefined;
      const { catalog, upstreams } = version();
      const target = catalog.find(model)?.targets[0];
      if (!target) return undefined;
      const config = upstreams[target.upstream];
      if (!config?.vendor_batches) return undefined;
      const credential = credentialOf(config.credentials, id);
      return { account: accountName({ upstream: target.upstream, credential }), model: target.model };
    },
    open: (account) => version().accounts.get(account)?.batches,
    // The cast is safe because `serveLines` wrote the text.
    charge: (text, due) => charge(JSON.parse(text) as RecordedUsage, due),
  };
}

/** Returns the credential of a pool that submits a batch. The random digits of the ids divide the batches equally. */
function credentialOf(pool: Config['upstreams'][string]['credentials'], batchId: string): string | undefined {
  const names = pool?.filter(({ weight }) => weight > 0).map(({ name }) => name) ?? [];
  const digits = Buffer.from(batchId).reduce((sum, digit) => sum + digit, 0);
  return names[digits % names.length];
}

const API_RETRY_MS = 5_000;

/** Serves lines through the API. If the API cannot start, no line is sent. */
export function serveLines(api: Pick<LazyInternalApi, 'start' | 'serve'>, now: () => number): ServeLine {
  return async (request): Promise<LineResponse> => {
    await api.start().catch((cause: unknown) => {
      const details = { retryAfterMs: API_RETRY_MS, cause };
      throw new GatewayError('store_unavailable', unavailableMessage('API of stored requests'), details);
    });
    if (request.vendorLine?.step !== 'record') return api.serve({ ...request, isLine: true });
    const recorded = new RunUsage(
      {},
      { id: request.headers['x-request-id'] ?? '', createdAt: Math.floor(now() / 1_000) },
    );
    const response = await api.serve({ ...request, run: recorded.run, isLine: true });
    const charge = async (): Promise<LineCharge> => {
      const { usage, count } = await recorded.reported();
      return { text: usage && JSON.stringify(usage), count };
    };
    return { ...response, charge };
  };
}
