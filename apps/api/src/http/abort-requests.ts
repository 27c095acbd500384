import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Aborts the requests in flight because the process must stop. Each may send an error to its client before its
     * connection
     * closes. WebSockets are not aborted.
     * @returns the number of aborted requests
     */
    abortRequests(): number;
  }
  interface FastifyRequest {
    /** Whether the process aborted the request. */
    isAborted: boolean;
    /** Ends the request's work on an abort; unset while no code waits for it. */
    abortWork: ((reason: GatewayError) => void) | undefined;
  }
}

/** Time for aborted requests to send their error. */
const FINAL_WRITE_MS = 500;
/** Time for closed connections to be reported. */
const CLOSING_MS = 1_000;
/** Time until another process can be available. */
const RETRY_MS = 1_000;

/**
 * Tracks the requests in flight so that they can be aborted. Delays the `onClose` hooks until all have closed, because
 * the
 * server counts a connection as closed before its request is notified.
 */
export function trackRequests(app: FastifyInstance): void {
  const inFlight = new Set<FastifyRequest>();
  let onNone: (() => void) | undefined;
  app.decorateRequest('isAborted', false);
  app.decorateRequest('abortWork', undefined);
  app.addHook('onRequest', (request, { raw }, done) => {
    inFlight.add(request);
    raw.once('close', () => {
      inFlight.delete(request);
      if (inFlight.size === 0) onNone?.();
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
    const none = new Promise<void>((resolve) => (onNone = resolve));
    await Promise.race([none, wait(CLOSING_MS, undefined, { ref: false })]);
  });
}

/** The error of a signal that aborted because the process stops. */
export function abortReason({ aborted, reason }: AbortSignal): GatewayError | undefined {
  return aborted && reason instanceof GatewayError ? reason : undefined;
}

function stopping(): GatewayError {
  const what = 'The server is stopping and could not finish the response. Send the request again.';
  return new GatewayError('no_upstream', what, { retryAfterMs: RETRY_MS });
}
