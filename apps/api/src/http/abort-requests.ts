import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Aborts all requests in flight. Each can still send an error before its connection closes. WebSocket sessions are
     * not aborted.
     * @returns the number of aborted requests
     */
    abortRequests(): number;
  }
  interface FastifyRequest {
    isAborted: boolean;
    /** Position in the list of the requests in flight. */
    inFlightAt: number;
    /** Ends the request's work when it is aborted. Unset while no code waits for it. */
    abortWork: ((reason: GatewayError) => void) | undefined;
  }
}

const FINAL_WRITE_MS = 500;
const CLOSING_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Delays the `onClose` hooks until all requests have ended, because the server reports a connection as closed before
 * its request ends.
 */
export function trackRequests(app: FastifyInstance): void {
  // Not a Set: V8 links each table that a Set outgrows to its next one, so a table in the old generation would keep every
  // later request in memory until the next full collection.
  const inFlight: FastifyRequest[] = [];
  let onIdle: (() => void) | undefined;
  app.decorateRequest('isAborted', false);
  app.decorateRequest('inFlightAt', 0);
  app.decorateRequest('abortWork', undefined);
  app.addHook('onRequest', (request, { raw }, done) => {
    request.inFlightAt = inFlight.push(request) - 1;
    raw.once('close', () => {
      removeAt(inFlight, request.inFlightAt);
      if (inFlight.length === 0) onIdle?.();
    });
    done();
  });
  app.decorate('abortRequests', () => {
    const requests = inFlight.filter(({ session }) => session === undefined);
    for (const request of requests) {
      request.isAborted = true;
      request.abortWork?.(stopping());
    }
    setTimeout(() => app.server.closeAllConnections(), FINAL_WRITE_MS).unref();
    return requests.length;
  });
  app.addHook('onClose', async () => {
    if (inFlight.length === 0) return;
    const idle = new Promise<void>((resolve) => (onIdle = resolve));
    await Promise.race([idle, wait(CLOSING_MS, undefined, { ref: false })]);
  });
}

/** Moves the last request to the place of the removed one. */
function removeAt(inFlight: FastifyRequest[], index: number): void {
  const last = inFlight.pop();
  if (last === undefined || index === inFlight.length) return;
  inFlight[index] = last;
  last.inFlightAt = index;
}

/** Returns the error of a signal that was aborted because the process is stopping. */
export function abortReason({ aborted, reason }: AbortSignal): GatewayError | undefined {
  return aborted && reason instanceof GatewayError ? reason : undefined;
}

function stopping(): GatewayError {
  return new GatewayError('no_upstream', GATEWAY_MESSAGES.serverStopped, { retryAfterMs: RETRY_MS });
}
