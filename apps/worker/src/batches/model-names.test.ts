import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { generativeEndpoint } from '@sluice/protocols';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchesRig, batchesRig, LONG } from '../../test/batches-rig.ts';

/** Names of models can be any text. */
const NAMES = ['llama3:8b', 'my model', 'größe', 'org/model', 'which?one#2'];

let vendor: Server;
let rig: BatchesRig;

beforeEach(async () => {
  vendor = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo; // It listens on TCP.
  rig = await batchesRig({
    keys: [{ name: 'alice', key: 'sk-alice-key' }],
    upstreams: {
      chat: { kind: 'chat-completions', base_url: `http://127.0.0.1:${port}/v1`, api_key: 'sk-vendor' },
    },
    models: NAMES.map((id) => ({ id, routes: [{ upstream: 'chat', model: `their ${id}` }] })),
  });
});
afterEach(async () => {
  await rig.close();
  vendor.close();
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model } = (await json(request)) as { model: string }; // The gateway sends this format.
  const message = { role: 'assistant', content: `I am ${model}.` };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, choices }));
}

it.each(NAMES)("runs a batch in Google's format with a model whose name is `%s`", LONG, async (name) => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const batch = await rig.create(generativeEndpoint(name), [{ contents }], { protocol: 'gemini' });
  const ended = await rig.ended(batch);
  expect(ended).toMatchObject({ status: 'completed', model: name });
  expect((await rig.results(ended)).get('line-0')).toMatchObject({
    response: { body: { candidates: [{ content: { parts: [{ text: `I am their ${name}.` }] } }] } },
  });
});
