import { WireError } from '../../http/wire-error.ts';
import { readSamples } from '../../media/audio/read-samples.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import { type ClientEvent, readClientEvent, type ResponseParams } from './client-event.ts';
import { storeItem, type StoredItem, lastUserInput } from './conversation.ts';
import { type RealtimeConnection, respond, type ResponseTask } from './respond.ts';
import { newSession, newTranscription, realtimeUsage, traitsOf, updateSession } from './session.ts';

/** Stored head of the audio; the hidden text is at its start. */
const HEAD_BYTES = 1024 ** 2;
/** "Expected at least 100ms of audio": of 16-bit samples, 24000 per second. */
const MIN_BYTES = 4800;
const SESSION_SECONDS = 3600;

export interface RealtimeSession {
  take(frame: Buffer, isBinary: boolean): void;
  end(): void;
}

export interface RealtimeOptions {
  model: string;
  transcriptionOnly: boolean;
  /** Use the beta's event names. */
  beta: boolean;
}

/** Handles frames in order and keeps reading during a response, so that it can be canceled. One response at a time. */
export function openRealtime(
  vendor: TextVendor,
  connection: RealtimeConnection,
  options: RealtimeOptions,
): RealtimeSession {
  const { model, transcriptionOnly, beta } = options;
  const sessionId = `sess_${vendor.newId().slice(0, 21)}`;
  const expiresAt = Math.floor(vendor.now() / 1000) + SESSION_SECONDS;
  let session = transcriptionOnly
    ? newTranscription(sessionId, expiresAt, beta)
    : newSession(sessionId, model, expiresAt, beta);
  const name = transcriptionOnly && beta ? 'transcription_session' : 'session';
  const conversationId = `conv_${vendor.newId().slice(0, 21)}`;
  let items: StoredItem[] = [];
  let buffer: { head: Buffer[]; bytes: number } = { head: [], bytes: 0 };
  let active: { id: string; stop: AbortController } | undefined;
  const send = (event: object): void => void connection.send(event);

  function add(item: StoredItem, after?: string | null): void {
    const at = after === 'root' ? 0 : items.findIndex(({ object }) => object.id === after) + 1;
    const place = after === undefined || after === null ? items.length : at;
    const previous_item_id = items[place - 1]?.object.id ?? null;
    items = items.toSpliced(place, 0, item);
    if (beta) {
      send({ type: 'conversation.item.created', previous_item_id, item: item.object });
      return;
    }
    send({ type: 'conversation.item.added', previous_item_id, item: item.object });
    send({ type: 'conversation.item.done', previous_item_id, item: item.object });
  }

  function find(item_id: string): StoredItem {
    const found = items.find(({ object }) => object.id === item_id);
    if (found !== undefined) return found;
    const message = `Error: item with id '${item_id}' does not exist.`;
    throw openAiError(404, message, { param: 'item_id', code: 'item_not_found' });
  }

  function commit(): void {
    const { head, bytes } = buffer;
    if (bytes < MIN_BYTES) {
      const has = `buffer only has ${((bytes / MIN_BYTES) * 100).toFixed(2)}ms of audio.`;
      const message = `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but ${has}`;
      throw openAiError(400, message, { code: 'input_audio_buffer_commit_empty' });
    }
    buffer = { head: [], bytes: 0 };
    const { text, seconds } = readSamples(Buffer.concat(head), bytes);
    const content = [{ type: 'input_audio', audio: '', transcript: null }] as const;
    const item = storeItem({ type: 'message', role: 'user', content: [...content] }, vendor.newId);
    const previous_item_id = items.at(-1)?.object.id ?? null;
    send({ type: 'input_audio_buffer.committed', previous_item_id, item_id: item.object.id });
    add({ ...item, text, recordedSeconds: seconds });
    if (!transcriptionOnly && !traitsOf(session).transcribes) return;
    const { total_tokens, input_tokens, output_tokens, input_token_details } = realtimeUsage({
      inputText: '',
      recordedSeconds: seconds,
      output: text,
      spokenSeconds: 0,
    });
    const details = { text_tokens: 0, audio_tokens: input_token_details.audio_tokens };
    const usage = { type: 'tokens', total_tokens, input_tokens, input_token_details: details, output_tokens };
    const where = { item_id: item.object.id, content_index: 0 };
    send({ type: 'conversation.item.input_audio_transcription.completed', ...where, transcript: text, usage });
  }

  async function runResponse(task: ResponseTask, inBand: boolean): Promise<void> {
    const item = await respond(connection, task);
    active = undefined;
    if (item !== undefined && inBand) items = [...items, item];
  }

  function createResponse(params: ResponseParams): void {
    if (transcriptionOnly)
      throw openAiError(400, 'A transcription session has no responses.', { code: 'invalid_event' });
    if (active !== undefined) {
      const message = `Conversation already has an active response in progress: ${active.id}. Wait until the response is finished before creating a new one.`;
      throw openAiError(400, message, { code: 'conversation_already_has_active_response' });
    }
    const traits = traitsOf(updateSession(session, params));
    const inBand = params.conversation !== 'none';
    const inputItems = params.input?.map((item) => storeItem(item, vendor.newId)) ?? items;
    const directiveText = lastUserInput(inputItems);
    const stop = new AbortController();
    const id = `resp_${vendor.newId().slice(0, 21)}`;
    active = { id, stop };
    const task = {
      id,
      itemId: `item_${vendor.newId().slice(0, 21)}`,
      conversationId: inBand ? conversationId : null,
      model,
      instructions: traits.instructions,
      modality: traits.modality,
      beta,
      metadata: params.metadata ?? null,
      items: inputItems,
      directiveText,
      fault: vendor.faults.next('realtime', directiveText),
      stop: stop.signal,
    };
    void runResponse(task, inBand);
  }

  function handle(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
      case 'transcription_session.update': {
        const isForOne = event.type === 'transcription_session.update' || isTranscription(event.session);
        if (isForOne !== transcriptionOnly) {
          const [given, here] = isForOne ? ['transcription', 'realtime'] : ['realtime', 'transcription'];
          const message = `Passing a ${given} session update event to a ${here} session is not allowed.`;
          throw invalidParameter('session.type', message, 'invalid_value');
        }
        if ('model' in event.session && event.session.model !== model) {
          const message = 'The model of a session cannot be changed.';
          throw invalidParameter('session.model', message, 'cannot_update_model');
        }
        session = updateSession(session, event.session);
        return send({ type: `${name}.updated`, session });
      }
      case 'conversation.item.create': {
        const { previous_item_id: after, item } = event;
        if (after !== undefined && after !== null && after !== 'root') find(after);
        return add(storeItem(item, vendor.newId), after);
      }
      case 'conversation.item.retrieve':
        return send({ type: 'conversation.item.retrieved', item: find(event.item_id).object });
      case 'conversation.item.delete': {
        const removed = find(event.item_id);
        items = items.filter((item) => item !== removed);
        return send({ type: 'conversation.item.deleted', item_id: event.item_id });
      }
      case 'conversation.item.truncate': {
        const { item_id, content_index, audio_end_ms } = event;
        find(item_id);
        return send({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms });
      }
      case 'input_audio_buffer.append': {
        const chunk = Buffer.from(event.audio, 'base64');
        if (buffer.bytes < HEAD_BYTES) buffer.head.push(chunk);
        buffer.bytes += chunk.length;
        return;
      }
      case 'input_audio_buffer.commit':
        return commit();
      case 'input_audio_buffer.clear':
        buffer = { head: [], bytes: 0 };
        return send({ type: 'input_audio_buffer.cleared' });
      case 'response.create':
        return createResponse(event.response ?? {});
      case 'response.cancel': {
        if (active === undefined || (event.response_id ?? active.id) !== active.id) {
          const message = 'Cancellation failed: no active response found';
          throw openAiError(400, message, { code: 'response_cancel_not_active' });
        }
        return active.stop.abort();
      }
    }
  }

  function refuse(problem: WireError, given: unknown): void {
    const { error }: { error?: object } = Object(problem.body(''));
    const eventId: unknown = Object(given).event_id;
    send({ type: 'error', error: { ...error, event_id: typeof eventId === 'string' ? eventId : null } });
  }

  send({ type: `${name}.created`, session });
  if (beta && !transcriptionOnly)
    send({ type: 'conversation.created', conversation: { id: conversationId, object: 'realtime.conversation' } });
  return {
    take(frame, isBinary) {
      let given: unknown;
      try {
        if (!isBinary) given = JSON.parse(frame.toString());
      } catch {
        // Reported below, like any other invalid frame.
      }
      try {
        if (typeof given !== 'object' || given === null || Array.isArray(given)) {
          throw openAiError(400, 'Expected a JSON object in a text frame.', { code: 'invalid_json' });
        }
        handle(readClientEvent(given, beta));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        refuse(error, given);
      }
    },
    end: () => active?.stop.abort(),
  };
}

function isTranscription(session: object): boolean {
  return 'type' in session && session.type === 'transcription';
}
