import type { Endpoint } from '@sluice/protocols';
import { PNG } from '../raw-http.ts';
import { MODELS } from '../vendor.ts';

/** The rig's models for endpoints that are neither for text nor for videos. */
export const DIRECT_MODELS = {
  embedding: 'by-chat',
  rerank: 'ranker',
  moderation: 'by-chat',
  speech: 'by-chat',
  transcription: 'by-chat',
} as const;

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const IMAGE = `data:image/png;base64,${PNG.toString('base64')}`;
const messages = [{ role: 'user', content: 'hi' }];

/** Ids of Alice's finished video, finished images, webhook, and unfinished batch. */
export interface CreatedIds {
  video: string;
  image: string;
  webhook: string;
  batch: string;
  group?: string;
  /** An input file of batches. */
  batchFile?: string;
}

/** Returns the smallest valid JSON body for an endpoint. */
export function validBody({ action, path, protocol, verb }: Endpoint, created: CreatedIds): Record<string, unknown> {
  const called: string = action;
  const text = { 'chat-completions': 'by-chat', responses: 'by-responses', messages: 'by-messages' };
  switch (called) {
    case 'text.generate':
    case 'text.count-tokens':
      if (verb !== undefined) return { contents };
      if (protocol.name === 'messages') return { model: text.messages, messages, max_tokens: 9 };
      return { model: text['chat-completions'], messages };
    case 'responses.create':
    case 'responses.count-tokens':
    case 'responses.compact':
      return { model: text.responses, input: 'hi' };
    case 'text.complete':
      return { model: text['chat-completions'], prompt: 'hi' };
    case 'embedding.create':
      if (verb === 'embedContent') return { content: contents[0] };
      if (verb !== undefined)
        return { requests: [{ model: `models/${MODELS['generative-content']}`, content: contents[0] }] };
      return { model: DIRECT_MODELS.embedding, input: 'hi' };
    case 'rerank.create':
      return { model: DIRECT_MODELS.rerank, query: 'hi', documents: ['a', 'b'] };
    case 'moderation.create':
      return { model: DIRECT_MODELS.moderation, input: 'hi' };
    case 'speech.create':
      return { model: DIRECT_MODELS.speech, input: 'hi', voice: 'ash' };
    case 'image.create':
      return path.endsWith('/edits')
        ? { model: 'image-edit', prompt: 'a kite', image: IMAGE }
        : { model: 'image', prompt: 'a kite' };
    case 'webhook.create':
      return { url: 'https://hooks.example/x' };
    case 'webhook.update':
      return { enabled: false };
    case 'webhook.rotate':
    case 'webhook.rotate-secret':
    case 'webhook.test':
      return {};
    case 'file.upload':
      return { file: { displayName: 'a.txt', mimeType: 'text/plain' } };
    case 'upload.create':
      return { filename: 'a.txt', purpose: 'user_data', bytes: 1, mime_type: 'text/plain' };
    case 'upload.complete':
      return { part_ids: ['part_0'] };
    case 'batch.create':
      return { input_file_id: created.batchFile, endpoint: '/v1/chat/completions', completion_window: '24h' };
    case 'batch.create-messages':
      return { requests: [{ custom_id: 'a', params: { model: text.messages, messages, max_tokens: 9 } }] };
    case 'batch.create-generative':
      return { batch: { inputConfig: { requests: { requests: [{ request: { contents } }] } } } };
    case 'group.create':
      return { model: 'video', prompts: ['a kite'] };
    case 'group.retry':
      return {};
    case 'batch.change':
      return { paused: true };
    case 'video.retrieve':
      return { req_key: 'video', task_id: created.video };
    default:
      if (protocol.name === 'provider-a') {
        return { model_name: 'video', prompt: 'a kite', ...(path.includes('image2') && { image: IMAGE }) };
      }
      return protocol.name === 'provider-b'
        ? { req_key: 'video', prompt: 'a kite' }
        : { model: 'video', prompt: 'a kite' };
  }
}

/** Returns an endpoint's path with valid parameters. */
export function pathOf({ path, verb, select, action }: Endpoint, created: CreatedIds): string {
  const generative = verb === undefined ? DIRECT_MODELS.embedding : MODELS['generative-content'];
  const kinds = {
    image: created.image,
    webhook: created.webhook,
    video: created.video,
    batch: created.batch,
    group: created.group,
  };
  const id = Object.entries(kinds).find(([kind]) => action.startsWith(kind))?.[1] ?? 'resp_0';
  return (
    path
      .replace(/[:*]model/, generative)
      .replace(/:index/, '0')
      // A webhook test would wait for its delivery, but the rig runs no delivery worker, so the id does not exist.
      .replaceAll(/:\w+/g, action === 'webhook.test' ? 'whe_0' : id) +
    (verb === undefined ? '' : `:${verb}`) +
    (select ? `?${select.parameter}=${select.value}&Version=2022-08-31` : '')
  );
}
