import { createSpeech, SAMPLE_RATE } from '../../media/audio/create-speech.ts';
import { completeRequest } from '../../text/complete-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import { directiveNumber } from '../../directives/text-directives.ts';
import { chunksOf } from '../../text/word-tokens.ts';
import { wait } from '../../http/wait.ts';
import { type StoredItem, decodeRealtimeRequest } from './conversation.ts';
import { hasRealtimeDirective, realtimeNumber } from '../../directives/realtime-directives.ts';
import { realtimeUsage } from './session.ts';

export interface RealtimeConnection {
  /** Resolves when the event is sent. */
  send(event: object): Promise<void>;
  sendRaw(frame: Buffer | string): Promise<void>;
  terminate(): void;
  close(code: number): void;
}

export interface ResponseTask {
  id: string;
  itemId: string;
  conversationId: string | null;
  model: string;
  instructions: string;
  modality: 'text' | 'audio';
  beta: boolean;
  metadata: unknown;
  items: readonly StoredItem[];
  directiveText: string;
  fault: TextFault | undefined;
  /** Canceled, or the client disconnected. */
  stop: AbortSignal;
}

const MEGABYTE = 1024 ** 2;
const FLOOD_CHUNK = 'A'.repeat(MEGABYTE / 16);

/** Names of events and parts, GA or beta. */
function namesOf({ beta, modality }: ResponseTask) {
  const prefix = beta ? 'response.' : 'response.output_';
  const isAudio = modality === 'audio';
  return {
    delta: `${prefix}${modality}.delta`,
    done: `${prefix}${modality}.done`,
    transcript: `${prefix}audio_transcript`,
    part: beta ? modality : `output_${modality}`,
    isAudio,
  };
}

function responseObject(task: ResponseTask, more: object): object {
  const modalities = task.modality === 'audio' && task.beta ? ['audio', 'text'] : [task.modality];
  return {
    object: 'realtime.response',
    id: task.id,
    status: 'in_progress',
    status_details: null,
    output: [],
    conversation_id: task.conversationId,
    [task.beta ? 'modalities' : 'output_modalities']: modalities,
    metadata: task.metadata,
    usage: null,
    ...more,
  };
}

/** @returns the text that was sent before a stop. */
async function sendDeltas(
  connection: RealtimeConnection,
  task: ResponseTask,
  text: string,
  where: object,
): Promise<string> {
  const { stop, directiveText } = task;
  const names = namesOf(task);
  const dripMs = directiveNumber(directiveText, 'drip') ?? 0;
  const isCut = hasRealtimeDirective(directiveText, 'cut');
  for (let left = (realtimeNumber(directiveText, 'flood') ?? 0) * 16; left > 0; left -= 1) {
    if (stop.aborted) return '';
    await connection.send({ type: names.delta, ...where, delta: FLOOD_CHUNK });
  }
  const canContinue = () => (dripMs > 0 ? wait(dripMs, stop) : !stop.aborted);
  let said = '';
  for (const delta of chunksOf(text)) {
    if (!(await canContinue())) return said;
    await connection.send({ type: names.isAudio ? `${names.transcript}.delta` : names.delta, ...where, delta });
    said += delta;
    if (isCut) connection.terminate();
  }
  for (const chunk of names.isAudio ? createSpeech(text).chunks() : []) {
    if (!(await canContinue())) break;
    await connection.send({ type: names.delta, ...where, delta: chunk.toString('base64') });
  }
  return said;
}

/**
 * Sends a response event by event and applies its directives.
 * @returns the item to add to the conversation, if any.
 */
export async function respond(connection: RealtimeConnection, task: ResponseTask): Promise<StoredItem | undefined> {
  const { directiveText, stop, fault } = task;
  const names = namesOf(task);
  await connection.send({ type: 'response.created', response: responseObject(task, {}) });
  const finish = (more: object) => connection.send({ type: 'response.done', response: responseObject(task, more) });
  if (!(await wait((directiveNumber(directiveText, 'slow') ?? 0) * 1000, stop))) {
    await finish({ status: 'cancelled', status_details: { type: 'cancelled', reason: 'client_cancelled' } });
    return undefined;
  }
  if (fault !== undefined) {
    const code = fault === 'throttled' ? 'rate_limit_exceeded' : 'server_error';
    const error = { type: fault === 'throttled' ? 'requests' : 'server_error', code };
    await finish({ status: 'failed', status_details: { type: 'failed', error } });
    return undefined;
  }
  if (hasRealtimeDirective(directiveText, 'binary')) await connection.sendRaw(Buffer.from([0, 1, 2, 3]));
  if (hasRealtimeDirective(directiveText, 'garbled')) await connection.sendRaw('<html><body>It works!</body></html>');

  const { text } = completeRequest(decodeRealtimeRequest(task.model, task.instructions, task.items));
  const head = { id: task.itemId, object: 'realtime.item', type: 'message', role: 'assistant' } as const;
  const where = { response_id: task.id, item_id: task.itemId, output_index: 0, content_index: 0 };
  const partOf = (said: string) => (names.isAudio ? { type: 'audio', transcript: said } : { type: 'text', text: said });
  const startedItem = { ...head, status: 'in_progress', content: [] };
  await connection.send({
    type: 'response.output_item.added',
    response_id: task.id,
    output_index: 0,
    item: startedItem,
  });
  await connection.send({ type: `conversation.item.${task.beta ? 'created' : 'added'}`, item: startedItem });
  await connection.send({ type: 'response.content_part.added', ...where, part: partOf('') });

  const said = await sendDeltas(connection, task, text, where);
  const part = partOf(said);
  const isComplete = !stop.aborted;
  const status = isComplete ? 'completed' : 'incomplete';
  const object = { ...head, status, content: [{ ...part, type: names.part }] };
  if (names.isAudio) {
    await connection.send({ type: names.done, ...where });
    await connection.send({ type: `${names.transcript}.done`, ...where, transcript: said });
  } else await connection.send({ type: names.done, ...where, text: said });
  await connection.send({ type: 'response.content_part.done', ...where, part });
  await connection.send({ type: 'response.output_item.done', response_id: task.id, output_index: 0, item: object });
  if (!task.beta) await connection.send({ type: 'conversation.item.done', item: object });
  const usage = realtimeUsage({
    inputText: [task.instructions, ...task.items.map((item) => (item.recordedSeconds > 0 ? '' : item.text))].join('\n'),
    recordedSeconds: task.items.reduce((sum, { recordedSeconds }) => sum + recordedSeconds, 0),
    output: said,
    spokenSeconds: names.isAudio ? createSpeech(said).samples / SAMPLE_RATE : 0,
  });
  const end = isComplete
    ? { status: 'completed' }
    : { status: 'cancelled', status_details: { type: 'cancelled', reason: 'client_cancelled' } };
  await finish({ ...end, output: [object], usage });
  const code = realtimeNumber(directiveText, 'close');
  if (code !== undefined) connection.close(code);
  // Output parts have the types that clients may also send.
  return { object: object as StoredItem['object'], text: said, images: 0, recordedSeconds: 0 };
}
