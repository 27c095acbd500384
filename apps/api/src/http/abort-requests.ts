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
  const inFlight = new Set<FastifyRequest>();
  let onIdle: (() => void) | undefined;
  app.decorateRequest('isAborted', false);
  app.decorateRequest('abortWork', undefined);
  app.addHook('onRequest', (request, { raw }, done) => {
    inFlight.add(request);
    raw.once('close', () => {
      inFlight.delete(request);
      if (inFlight.size === 0) onIdle?.();
    });
    done();
  });
  app.decorate('abortRequests', () => {
    const requests = [...inFlight].filter(({ session }) => session === undefined);
    for (const request of requests) {
      request.isAborted = true;
      request.abortWork?.(stopping());
    }
    setTimeout(() => app.server.closeAllConnections(), FINAL_WRITE_MS).unref();
    return requests.length;
  });
  app.addHook('onClose', async () => {
    if (inFlight.size === 0) return;
    const idle = new Promise<void>((resolve) => (onIdle = resolve));
    await Promise.race([idle, wait(CLOSING_MS, undefined, { ref: false })]);
  });
}

/** Returns the error of a signal that was aborted because the process is stopping. */
export function abortReason({ aborted, reason }: AbortSignal): GatewayError | undefined {
  return aborted && reason instanceof GatewayError ? reason : undefined;
}

function stopping(): GatewayError {
  return new GatewayError('no_upstream', GATEWAY_MESSAGES.serverStopped, { retryAfterMs: RETRY_MS });
}
