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
  /** Resolves after the event was sent. */
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
  /** Aborts if the response is canceled or the client disconnects. */
  stop: AbortSignal;
}

const MEGABYTE = 1024 ** 2;
const FLOOD_CHUNK = 'A'.repeat(MEGABYTE / 16);

const CANCELLED = { status: 'cancelled', status_details: { type: 'cancelled', reason: 'client_cancelled' } };

/** Returns the names of events and parts, which differ between the GA and the beta API. */
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

/** @returns the text that was sent before the response was stopped. */
async function sendDeltas(connection: RealtimeConnection, task: ResponseTask, text: string, where: object) {
  const { stop, directiveText } = task;
  const names = namesOf(task);
  const dripMs = directiveNumber(directiveText, 'drip') ?? 0;
  const isCut = hasRealtimeDirective(directiveText, 'cut');
  for (let rest = (realtimeNumber(directiveText, 'flood') ?? 0) * 16; rest > 0; rest -= 1) {
    if (stop.aborted) return '';
    await connection.send({ type: names.delta, ...where, delta: FLOOD_CHUNK });
  }
  const canContinue = () => (dripMs > 0 ? wait(dripMs, stop) : !stop.aborted);
  let sentText = '';
  for (const delta of chunksOf(text)) {
    if (!(await canContinue())) return sentText;
    await connection.send({ type: names.isAudio ? `${names.transcript}.delta` : names.delta, ...where, delta });
    sentText += delta;
    if (isCut) connection.terminate();
  }
  for (const chunk of names.isAudio ? createSpeech(text).chunks() : []) {
    if (!(await canContinue())) break;
    await connection.send({ type: names.delta, ...where, delta: chunk.toString('base64') });
  }
  return sentText;
}

/**
 * Sends a response event by event and applies its directives.
 * @returns the item to add to the conversation, if there is one.
 */
export async function respond(connection: RealtimeConnection, task: ResponseTask): Promise<StoredItem | undefined> {
  const { directiveText, stop, fault } = task;
  const names = namesOf(task);
  await connection.send({ type: 'response.created', response: responseObject(task, {}) });
  const finish = (more: object) => connection.send({ type: 'response.done', response: responseObject(task, more) });
  if (!(await wait((directiveNumber(directiveText, 'slow') ?? 0) * 1000, stop))) {
    await finish(CANCELLED);
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
  const partOf = (sentText: string) =>
    names.isAudio ? { type: 'audio', transcript: sentText } : { type: 'text', text: sentText };
  const item = { ...head, status: 'in_progress', content: [] };
  await connection.send({ type: 'response.output_item.added', response_id: task.id, output_index: 0, item });
  await connection.send({ type: `conversation.item.${task.beta ? 'created' : 'added'}`, item });
  await connection.send({ type: 'response.content_part.added', ...where, part: partOf('') });

  const sentText = await sendDeltas(connection, task, text, where);
  const part = partOf(sentText);
  const isComplete = !stop.aborted;
  const status = isComplete ? 'completed' : 'incomplete';
  const object = { ...head, status, content: [{ ...part, type: names.part }] };
  if (names.isAudio) {
    await connection.send({ type: names.done, ...where });
    await connection.send({ type: `${names.transcript}.done`, ...where, transcript: sentText });
  } else await connection.send({ type: names.done, ...where, text: sentText });
  await connection.send({ type: 'response.content_part.done', ...where, part });
  await connection.send({ type: 'response.output_item.done', response_id: task.id, output_index: 0, item: object });
  if (!task.beta) await connection.send({ type: 'conversation.item.done', item: object });
  const usage = realtimeUsage({
    inputText: [task.instructions, ...task.items.map((input) => (input.recordedSeconds > 0 ? '' : input.text))].join(
      '\n',
    ),
    recordedSeconds: task.items.reduce((sum, { recordedSeconds }) => sum + recordedSeconds, 0),
    output: sentText,
    spokenSeconds: names.isAudio ? createSpeech(sentText).samples / SAMPLE_RATE : 0,
  });
  await finish({ ...(isComplete ? { status } : CANCELLED), output: [object], usage });
  const code = realtimeNumber(directiveText, 'close');
  if (code !== undefined) connection.close(code);
  // The cast is safe because clients may also send parts with output types.
  return { object: object as StoredItem['object'], text: sentText, images: 0, recordedSeconds: 0 };
}
