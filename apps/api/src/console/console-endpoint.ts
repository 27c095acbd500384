import { videosProtocol } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@sluice/telemetry';
import type { z } from 'zod';
import type { FindApiKey } from '../auth/api-keys.ts';
import type { LiveChanges } from './live-changes.ts';
import type { ConsoleSession, ConsoleSessions } from '../auth/console-sessions.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';

/** The console's own endpoints send errors in the default shape. */
export const CONSOLE_PROTOCOL = { encodeError: videosProtocol.encodeError } as const;

export interface ConsoleDeps {
  sessions: ConsoleSessions;
  findApiKey: FindApiKey;
  isAdminKey: (text: string) => boolean;
  /** Identifies the admin key in sessions. Undefined if there is none. */
  adminHash: string | undefined;
  hasAdminApi: boolean;
  /** Undefined if single sign-on is not configured. */
  oidc: OidcSignIn | undefined;
  publicOrigin: string | undefined;
  /** Whether the ledger is enabled, so that lists of requests and usage have content. */
  hasLedger: boolean;
  version: string;
  /** The URL of a trace, with `{trace_id}`. */
  traceUrl: string | undefined;
  changes: LiveChanges;
  keepAliveMs: number;
  stopping: AbortSignal;
  logger: Logger;
}

interface ConsoleCall<Body = unknown> {
  request: FastifyRequest;
  reply: FastifyReply;
  body: Body;
  /** The session of the request. Undefined if the endpoint needs none. */
  session: ConsoleSession | undefined;
}

/** A change has an id for the audit log. */
type ConsoleMethod = { method: 'GET'; operationId?: never } | { method: 'POST' | 'DELETE'; operationId: string };

/** Describes an endpoint of the console as data. */
export type ConsoleEndpoint = ConsoleMethod & ConsoleRoute;

interface ConsoleRoute {
  protocol: typeof CONSOLE_PROTOCOL;
  path: `/console/api/${string}`;
  /** Unknown fields are rejected. If omitted, the endpoint accepts no body. */
  body?: z.ZodObject;
  /** If true, the endpoint needs no session, and ignores the one of the request. */
  isPublic?: boolean;
  status: number;
  /** @throws GatewayError */
  serve: (deps: ConsoleDeps, call: ConsoleCall) => Promise<unknown>;
}

export type ConsoleEndpointSpec<Body extends z.ZodObject> = ConsoleMethod &
  Omit<ConsoleRoute, 'body' | 'serve' | 'protocol'> & {
    body?: Body;
    serve: (deps: ConsoleDeps, call: ConsoleCall<z.output<Body>>) => Promise<unknown>;
  };

export function defineConsoleEndpoint<Body extends z.ZodObject = z.ZodObject>(
  spec: ConsoleEndpointSpec<Body>,
): ConsoleEndpoint {
  // The cast is safe because the router validates the body with this schema before it calls `serve`.
  return {
    ...spec,
    protocol: CONSOLE_PROTOCOL,
    serve: (deps, call) => spec.serve(deps, call as ConsoleCall<z.output<Body>>),
  };
}
