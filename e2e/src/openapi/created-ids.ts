import { setTimeout as sleep } from 'node:timers/promises';
import { type CallInit, LOST_MODEL, type ReferenceStack } from './reference-stack.ts';

const PROMPT = 'A red kite over a lake';
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
  const video = (prompt: string, model = 'sandbox-video') => create('/v1/videos', { model, prompt });

  if (/^admin(?:Adopt|Resubmit)Task$/.test(operationId)) {
    const id = await video(PROMPT, LOST_MODEL);
    await until(stack, `/admin/v1/tasks/${id}`, ({ status }) => status === 'submit_unknown');
    return { id };
  }
  if (/^admin\w+Task$/.test(operationId)) return { id: await video(OPEN_PROMPT) };
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
  if (/^(?:retrieveD|red)eliver/.test(operationId)) {
    const tested = await stack.call('POST', `/v1/webhooks/${await webhook()}/test`, jsonBody({}));
    const { delivery } = (await tested.json()) as { delivery: Json }; // Cast: the format of a test's result.
    return { delivery_id: String(delivery['id']) };
  }
  if (/Webhook/.test(operationId)) return { webhook_id: await webhook() };
  if (/^cancel(?:Video|Task)$/.test(operationId)) return { task_id: await video(OPEN_PROMPT) };
  const id = await video(PROMPT);
  await until(stack, `/v1/videos/${id}`, ({ status }) => status === 'completed');
  return { task_id: id };
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
