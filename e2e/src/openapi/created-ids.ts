import { setTimeout as sleep } from 'node:timers/promises';
import { type CallInit, LOST_MODEL, type ReferenceStack } from './reference-stack.ts';

const PROMPT = 'A red kite over a lake';
const CONTENT = 'a kite';
const OPEN_PROMPT = `${PROMPT} [stall]`;

type Json = Record<string, unknown>;

/**
 * Creates the resource that an operation's example needs.
 * @returns its id, by the name of the parameter
 */
export async function createdIds(stack: ReferenceStack, operationId: string): Promise<Record<string, string>> {
  const create = async (at: string, body: Json, headers: Record<string, string> = {}) =>
    idIn(await stack.call('POST', at, jsonBody(body, headers)));
  const webhook = () => create('/v1/webhooks', { url: `${stack.receiver.origin}/hook` });
  const delivery = async (): Promise<string> => {
    const tested = await stack.call('POST', `/v1/webhooks/${await webhook()}/test`, jsonBody({}));
    const sent = ((await tested.json()) as { delivery: Json }).delivery; // Cast: the format of a test's result.
    return String(sent['id']);
  };
  const video = (prompt: string, model = 'sandbox-video') => create('/v1/videos', { model, prompt });

  if (/^admin(?:Adopt|Resubmit)Task$/.test(operationId)) {
    const id = await video(PROMPT, LOST_MODEL);
    await until(stack, `/admin/v1/tasks/${id}`, ({ status }) => status === 'submit_unknown');
    return { id };
  }
  if (/^admin\w+Task$/.test(operationId)) return { id: await video(OPEN_PROMPT) };
  if (/^admin\w*(?:Deliver|deliver)/.test(operationId)) return { id: await delivery() };
  if (/^admin\w*Webhook/.test(operationId)) return { id: await webhook() };
  if (/^admin\w+Batch$/.test(operationId)) return { id: (await createdBatch(stack, operationId))['batch_id'] ?? '' };
  if (/^admin\w+VideoGroup$/.test(operationId)) return { id: await createdGroup(stack, operationId) };
  if (operationId.startsWith('admin')) return { id: await create('/admin/v1/keys', { name: `of-${operationId}` }) };
  if (/Images?$/.test(operationId)) {
    const params = { model: 'sandbox-image', prompt: PROMPT };
    const id = await create('/v1/images/generations', params, { prefer: 'respond-async' });
    await until(stack, `/v1/images/generations/${id}`, ({ data }) => data !== undefined);
    return { task_id: id };
  }
  if (/Response/.test(operationId)) {
    const params = { model: 'sandbox-responses', input: 'Say hello.', background: true };
    return { response_id: await create('/v1/responses', params) };
  }
  if (/Upload/.test(operationId)) return createdUpload(stack, operationId);
  if (/^\w+VideoGroup$/.test(operationId)) return { group_id: await createdGroup(stack, operationId) };
  if (/Batch/.test(operationId)) return createdBatch(stack, operationId);
  if (/^(?:retrieve|download|delete)(?:Generative)?File$/.test(operationId)) {
    return { file_id: await idIn(await stack.call('POST', '/v1/files', { body: fileForm('file') })) };
  }
  if (/^(?:retrieveD|red)eliver/.test(operationId)) return { delivery_id: await delivery() };
  if (/Webhook/.test(operationId)) return { webhook_id: await webhook() };
  if (/^cancel(?:Video|Task)$/.test(operationId)) return { task_id: await video(OPEN_PROMPT) };
  if (operationId === 'changeTask') return { task_id: await pausedVideo(stack, () => video(PROMPT)) };
  const id = await video(PROMPT);
  await until(stack, `/v1/videos/${id}`, ({ status }) => status === 'completed');
  return { task_id: id };
}

/** Creates a video that waits, because only the queue of a key can be paused before a video has a slot. */
async function pausedVideo(stack: ReferenceStack, create: () => Promise<string>): Promise<string> {
  await stack.call('POST', '/v1/tasks/queue', jsonBody({ paused: true }));
  const id = await create();
  await stack.call('POST', `/v1/tasks/${id}`, jsonBody({ paused: true }));
  await stack.call('POST', '/v1/tasks/queue', jsonBody({ paused: false }));
  return id;
}

/** Creates an upload, with a part if it shall be completed. */
async function createdUpload(stack: ReferenceStack, operationId: string): Promise<Record<string, string>> {
  const completes = operationId === 'completeUpload';
  const bytes = completes ? CONTENT.length : 10_000;
  const params = { filename: 'a.txt', purpose: 'user_data', bytes, mime_type: 'text/plain' };
  const upload = await idIn(await stack.call('POST', '/v1/uploads', jsonBody(params)));
  if (!completes) return { upload_id: upload };
  const part = await stack.call('POST', `/v1/uploads/${upload}/parts`, { body: fileForm('data') });
  return { upload_id: upload, part_id: await idIn(part) };
}

/** Creates the input file of a batch, or a paused batch. A batch that is deleted or read has been canceled. */
async function createdBatch(stack: ReferenceStack, operationId: string): Promise<Record<string, string>> {
  const endpoint = '/v1/chat/completions';
  const body = { model: 'sandbox-chat', messages: [{ role: 'user', content: PROMPT }] };
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob([JSON.stringify({ custom_id: 'a', method: 'POST', url: endpoint, body })]), 'a.jsonl');
  const input_file_id = await idIn(await stack.call('POST', '/v1/files', { body: form }));
  if (operationId === 'createBatch') return { input_file_id };
  const params = { input_file_id, endpoint, completion_window: '24h' };
  const id = await idIn(await stack.call('POST', '/v1/batches', jsonBody(params)));
  await idIn(await stack.call('POST', `/v1/batches/${id}`, jsonBody({ paused: true })));
  if (/^delete|Results/.test(operationId)) {
    await idIn(await stack.call('POST', `/v1/batches/${id}/cancel`));
    await until(stack, `/v1/batches/${id}`, ({ status }) => status === 'cancelled');
  }
  const name = operationId.includes('Generative') ? id.slice('batch_'.length) : id;
  const suffix = operationId.startsWith('cancelG') ? ':cancel' : operationId.startsWith('download') ? ':download' : '';
  return { batch_id: name + suffix };
}

/** Creates a group of videos. It has a failed video to retry, has ended to be deleted, or else is open. */
async function createdGroup(stack: ReferenceStack, operationId: string): Promise<string> {
  const prompts = [OPEN_PROMPT, `${PROMPT} [fail]`];
  const id = await idIn(await stack.call('POST', '/v1/videos/batch', jsonBody({ model: 'sandbox-video', prompts })));
  const at = `/v1/videos/batch/${id}`;
  if (/^(?:retry|adminRetry)/.test(operationId))
    await until(stack, at, ({ counts }) => (counts as Json)['failed'] === 1);
  if (operationId.startsWith('delete')) {
    await idIn(await stack.call('POST', `${at}/cancel`));
    await until(stack, at, ({ status }) => status === 'cancelled');
  }
  return id;
}

function fileForm(field: string): FormData {
  const form = new FormData();
  form.append('purpose', 'user_data');
  form.append(field, new Blob([CONTENT]), 'a.txt');
  return form;
}

export function jsonBody(body: unknown, headers: Record<string, string> = {}): CallInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}

async function idIn(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return String((JSON.parse(text) as Json)['id']); // Cast: created resources are objects.
}

async function until(stack: ReferenceStack, at: string, holds: (task: Json) => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const task = (await (await stack.call('GET', at)).json()) as Json; // Cast: the admin API returns objects.
    if (holds(task)) return;
  }
  throw new Error(`${at} did not reach the expected state.`);
}
