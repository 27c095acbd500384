import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import type { EntraTokens } from './entra-tokens.ts';

const AUDIENCE = 'https://cognitiveservices.azure.com';
const DENIED = '/azure/denied';
/** The v1 API, the API with deployments in the path, and Anthropic's API. */
const PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/azure\/openai\/v1(?=\/)/, '/v1'],
  [/^\/azure\/openai\/deployments\/[^/?]+(?=\/)/, '/v1'],
  [/^\/azure\/openai(?=\/(?:responses|files|batches)(?:[/?]|$))/, '/v1'],
  [/^\/azure\/anthropic(?=\/v1\/)/, ''],
];

export interface AzureFront {
  /** Returns the path of the wire that serves a call to Azure, or of the refusal. */
  rewrite(this: void, request: IncomingMessage): string;
  /** Whether a call to Azure has valid credentials. */
  isAllowed(this: void, request: IncomingMessage): boolean;
}

/**
 * Puts Azure in front of the wires of OpenAI and Anthropic: it verifies the key or the access token of Microsoft Entra
 * ID, and passes the call on with the key of the wire.
 */
export function createAzureFront({ apiKey, tokens }: { apiKey: string; tokens: EntraTokens }): AzureFront {
  const isAllowed: AzureFront['isAllowed'] = ({ headers }) => {
    const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    // Microsoft's samples for the v1 API also send the key as Bearer.
    if (bearer !== undefined) return isKey(bearer, apiKey) || tokens.isValid(bearer, AUDIENCE);
    return isKey(headers['api-key'], apiKey) || isKey(headers['x-api-key'], apiKey);
  };
  return {
    isAllowed,
    rewrite(request) {
      const { url = '/', headers } = request;
      const entry = url.startsWith('/azure/') ? PATHS.find(([pattern]) => pattern.test(url)) : undefined;
      if (!entry) return url;
      if (!isAllowed(request)) return DENIED;
      headers.authorization = `Bearer ${apiKey}`;
      delete headers['x-api-key'];
      const [pattern, path] = entry;
      return url
        .replace(pattern, path)
        .replace(/([?&])api-version=[^&]*&?/, '$1')
        .replace(/[?&]$/, '');
    },
  };
}

/** Refuses calls whose credentials Azure rejects. */
export function registerAzureRefusal(app: FastifyInstance): void {
  app.all(DENIED, (request, reply) => {
    const isToken = request.headers.authorization !== undefined;
    const error = isToken
      ? {
          code: 'Unauthorized',
          message: `Access token is missing, invalid, audience is incorrect (${AUDIENCE}), or have expired.`,
        }
      : {
          code: '401',
          message:
            'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
        };
    return reply.code(401).send({ error });
  });
}
