import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConsoleSession } from '../auth/console-sessions.ts';
import type { Change } from './audit-log.ts';
import type { AuditWriter } from './audit-writer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation. Each request of the route is in the audit log if its credential is valid. */
    audit?: string;
  }
  interface FastifyRequest {
    /** Facts for the audit log that are not in the request. */
    audited: { by?: Pick<Change, 'actor' | 'role'>; target?: string; status?: number } | undefined;
  }
}

const MAX_TEXT = 256;

/**
 * Adds an entry to the audit log for each request of a route with `config.audit`, also if it is refused. The response
 * does not wait for it. Requests without a valid credential have no entry, because anyone could fill the log with them.
 */
export function recordChanges(app: FastifyInstance, { add, flush }: AuditWriter): void {
  app.decorateRequest('audited', undefined);
  // Unlike `onResponse`, this also runs if the client has disconnected.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const operation = request.routeOptions.config.audit;
    const actor = operation === undefined ? undefined : actorOf(request);
    if (operation !== undefined && actor) add({ ...actor, operation, ...outlineOf(request, reply.statusCode) });
    done();
  });
  app.addHook('onClose', flush);
}

function actorOf({ consoleSession, apiKey, audited }: FastifyRequest): Pick<Change, 'actor' | 'role'> | undefined {
  if (consoleSession) return { actor: showActor(consoleSession), role: consoleSession.role };
  if (audited?.by) return audited.by;
  return apiKey && { actor: { type: 'api_key', name: apiKey.name }, role: 'holder' };
}

function showActor({ id, role, name, subject }: ConsoleSession): Change['actor'] {
  if (subject !== undefined) return { type: 'oidc', name, subject, session_id: id };
  return { type: role === 'holder' ? 'api_key' : 'admin_key', name, session_id: id };
}

function outlineOf({ id, method, url, params, audited }: FastifyRequest, status: number) {
  // The cast is safe because audited routes have no wildcards.
  const [parameter] = Object.values((params ?? {}) as Record<string, string>);
  const target = parameter ?? audited?.target;
  return {
    method,
    path: withoutSecrets(url.split('?', 1)[0] ?? ''),
    ...(target !== undefined && { target: withoutSecrets(target) }),
    status: audited?.status ?? status,
    request_id: id,
  };
}

/** A client may send a key where its name belongs. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/\b(sk-|whsec_)[\w-]+/g, '$1…').slice(0, MAX_TEXT);
}

/** Notes the id of a created object as the target of the change. */
export function noteTarget(request: FastifyRequest, created: unknown): void {
  const id = typeof created === 'object' && created !== null && 'id' in created ? created.id : undefined;
  if (typeof id === 'string') request.audited = { ...request.audited, target: id };
}
