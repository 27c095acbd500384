import { randomUUID } from 'node:crypto';
import type { Limiter } from '@sluice/limits';
import type { Endpoint } from '@sluice/protocols';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { type EndUsers, endUserNames } from './end-user.ts';
import { LABELS_HEADER, readLabels } from './labels.ts';
import { LedgerQueue } from './ledger-queue.ts';
import { ledgerRouteOf } from './ledger-route.ts';
import { type EntryContext, RequestLedger } from './request-ledger.ts';

export interface LedgerOptions {
  settings: { enabled: boolean; end_users: EndUsers };
  secret: string;
  limiter: Pick<Limiter, 'appendEntries'>;
  metrics: Pick<Metrics, 'ledgerDropped'>;
  logger: Pick<Logger, 'warn'>;
  now: () => number;
}

/** Writes the entries of requests. A worker moves them to the store. */
export interface Ledger {
  readonly isEnabled: boolean;
  /** Returns a function for the requests of an endpoint, or undefined if they have no entries. */
  opener(endpoint: Endpoint | undefined): OpenRequestLedger | undefined;
  /** Sends an entry that belongs to no charge. */
  append(entry: string): void;
  /** Waits until the entries that were appended before are in Redis. */
  written(): Promise<void>;
  end(): Promise<void>;
}

/** Sets `request.ledger`. @throws GatewayError `invalid_request` for invalid labels */
export type OpenRequestLedger = (apiKey: ApiKey, request: FastifyRequest, reply: FastifyReply) => void;

export function createLedger({ settings, secret, limiter, metrics, logger, now }: LedgerOptions): Ledger {
  const queue = new LedgerQueue({
    send: (entries) => limiter.appendEntries(entries),
    onDrop: (entries) => metrics.ledgerDropped.inc(entries),
    logger,
  });
  // The ids of a process share a random text, because a random text for each entry costs more than the entry.
  const process = randomUUID().replaceAll('-', '').slice(0, 20);
  let entries = 0;
  const newEntryId = (): string => `led_${process}${(entries++).toString(36).padStart(7, '0')}`;
  const append = (entry: string): void => queue.add(entry);
  const context: EntryContext = { newEntryId, nameEndUser: endUserNames(settings.end_users, secret), now, append };
  return {
    isEnabled: settings.enabled,
    opener(endpoint) {
      const route = settings.enabled && endpoint ? ledgerRouteOf(endpoint) : undefined;
      if (!route) return undefined;
      return ({ name: key, labels: ofKey, vendorLine }, request, reply) => {
        // The ledger has an entry of the result.
        if (vendorLine?.step === 'encode') return;
        const ledger = new RequestLedger(context, { request, reply, key, route });
        request.ledger = ledger;
        ledger.labels = ofKey;
        const header = request.headers[LABELS_HEADER];
        if (header !== undefined) ledger.labels = readLabels(header, ofKey);
      };
    },
    append,
    written: () => queue.written(),
    end: () => queue.end(),
  };
}
