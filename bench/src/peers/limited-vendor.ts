import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announceReady } from '../subjects/requests.ts';

/**
 * A chat vendor that serves a few requests at once. Others wait in the order of their arrival, as at a server of local
 * models. The times to serve requests differ.
 */
const CAPACITY = 8;
const MIN_MS = 100;
const MAX_MS = 300;
const BODY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'vendor-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 },
});

const waiting: ServerResponse[] = [];
let busy = 0;

function serveNext(): void {
  while (busy < CAPACITY) {
    const response = waiting.shift();
    if (!response) return;
    busy += 1;
    setTimeout(
      () => {
        busy -= 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
        serveNext();
      },
      MIN_MS + Math.random() * (MAX_MS - MIN_MS),
    );
  }
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once('end', () => {
    waiting.push(response);
    serveNext();
  });
}

const server = createServer(respond).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  announceReady(`http://127.0.0.1:${port}`);
});
