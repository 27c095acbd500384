import type { IncomingMessage, ServerResponse } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { carriesBearerKey, isKey } from '../../http/bearer-key.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import { incorrectKey } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { openRealtime } from './open-realtime.ts';
import type { RealtimeConnection } from './respond.ts';

const PATH = '/realtime';
const DEFAULT_MODEL = 'gpt-realtime';
const KEY = 'openai-insecure-api-key.';
/** "The client may choose how much audio to place in each event up to a maximum of 15 MiB" (openai 7.55.0). */
const MAX_BYTES = 32 * 1024 ** 2;
const GOODBYE_MS = 300;
const MAX_LOGGED_EVENTS = 200;

type Socket = websocket.WebSocket;

/**
 * Other upgrades, such as HTTP/2 in clear text, are ignored, as vendors also ignore them.
 * @param isAllowed whether Azure accepts the credentials. It refuses others without an upgrade
 */
export function isRealtimeHandshake(
  request: IncomingMessage,
  isAllowed: (request: IncomingMessage) => boolean,
): boolean {
  const { method, headers, url = '' } = request;
  const [path = ''] = url.split('?', 1);
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return path === '/v1/realtime' || (path === '/azure/openai/v1/realtime' && isAllowed(request));
}

function protocolsOf({ headers }: FastifyRequest): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

/** Browsers cannot set headers, so they send the key as a subprotocol. */
function hasValidKey(request: FastifyRequest, apiKey: string): boolean {
  if (carriesBearerKey(request.headers.authorization, apiKey)) return true;
  const protocol = protocolsOf(request).find((name) => name.startsWith(KEY));
  return protocol !== undefined && isKey(protocol.slice(KEY.length), apiKey);
}

function modelOf({ query }: FastifyRequest): string | undefined {
  const model: unknown = Object(query).model;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

function isTranscriptionOnly({ query }: FastifyRequest): boolean {
  return Object(query).intent === 'transcription';
}

function attachesToCall({ query }: FastifyRequest): boolean {
  return typeof Object(query).call_id === 'string';
}

function connectionOf(socket: Socket, newId: () => string, broken: () => void): RealtimeConnection {
  // Frames for a closed socket are discarded. Closing the socket also ends the session.
  const write = (frame: Buffer | string) =>
    new Promise<void>((resolve) => {
      if (socket.readyState === socket.OPEN) socket.send(frame, () => resolve());
      else resolve();
    });
  return {
    send: (event) => write(JSON.stringify({ event_id: `event_${newId().slice(0, 21)}`, ...event })),
    sendRaw: write,
    terminate() {
      broken();
      socket.terminate();
    },
    close(code) {
      broken();
      socket.close(code, 'requested by a directive');
    },
  };
}

function loggedEvent(frame: Buffer): unknown {
  try {
    return JSON.parse(frame.toString(), (key, value: unknown) =>
      key === 'audio' && typeof value === 'string' ? `${value.length} characters` : value,
    );
  } catch {
    return null;
  }
}

export async function registerRealtime(scope: FastifyInstance, vendor: TextVendor): Promise<void> {
  await scope.register(websocket, {
    options: {
      maxPayload: MAX_BYTES,
      perMessageDeflate: false,
      handleProtocols: (names) => (names.has('realtime') ? 'realtime' : false),
    },
    // The socket is already closed after a client error.
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      for (const socket of scope.websocketServer.clients) {
        socket.close(1001, 'The server is shutting down.');
        setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
      }
      done();
    },
  });
  registerOpenAiWire(scope, vendor, 'realtime', {
    authenticate(request) {
      if (!hasValidKey(request, vendor.apiKey)) throw incorrectKey();
    },
    modelOf,
  });
  const responses = new WeakMap<FastifyRequest, ServerResponse>();
  scope.addHook('preHandler', async (request, reply) => {
    responses.set(request, reply.raw);
    if (modelOf(request) === undefined && !isTranscriptionOnly(request) && !attachesToCall(request)) {
      throw invalidParameter('model', 'You must provide a model parameter.', 'missing_model');
    }
  });

  scope.route({
    method: 'GET',
    url: PATH,
    handler() {
      throw openAiError(426, 'This endpoint is served over WebSockets.', { headers: { upgrade: 'websocket' } });
    },
    wsHandler(socket, request) {
      const model = modelOf(request) ?? DEFAULT_MODEL;
      const transcriptionOnly = isTranscriptionOnly(request);
      const beta =
        request.headers['openai-beta'] === 'realtime=v1' || protocolsOf(request).includes('openai-beta.realtime-v1');
      const response = responses.get(request);
      const events: unknown[] = [];
      if (response !== undefined) vendor.log.update(response, { model, body: { events }, status: 101 });
      const broken = (): void => {
        if (response !== undefined) vendor.log.broken(response);
      };
      const connection = connectionOf(socket, vendor.newId, broken);
      const session = openRealtime(vendor, connection, { model, transcriptionOnly, beta });
      socket.on('message', (data, isBinary) => {
        // With the default `binaryType`, each frame is one buffer.
        if (!Buffer.isBuffer(data)) return;
        if (events.length < MAX_LOGGED_EVENTS) events.push(loggedEvent(data));
        session.receive(data, isBinary);
      });
      socket.once('close', () => session.end());
    },
  });
}
