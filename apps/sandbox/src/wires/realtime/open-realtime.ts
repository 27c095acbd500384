import { WireError } from '../../http/wire-error.ts';
import { readSamples } from '../../media/audio/read-samples.ts';
import { isObject, parseJson } from '../../schema/json.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import { type ClientEvent, readClientEvent, type ResponseParams } from './client-event.ts';
import { lastUserInput, storeItem } from './conversation.ts';
import { createItemList, type ItemList } from './item-list.ts';
import { type RealtimeConnection, respond, type ResponseTask } from './respond.ts';
import { newSession, newTranscription, realtimeUsage, type SessionObject, traitsOf, updateSession } from './session.ts';

/** Maximum number of stored audio bytes. The hidden text is at the start of the audio. */
const HEAD_BYTES = 1024 ** 2;
/** The source of this limit is the error "Expected at least 100ms of audio", for 16-bit samples at 24 kHz. */
const MIN_BYTES = 4800;
const SESSION_SECONDS = 3600;

export interface RealtimeOptions {
  model: string;
  transcriptionOnly: boolean;
  beta: boolean;
}

interface SessionState extends RealtimeOptions {
  vendor: TextVendor;
  connection: RealtimeConnection;
  send: (event: object) => void;
  conversationId: string;
  items: ItemList;
  session: SessionObject;
  /** Prefix of session event types. */
  sessionEvent: 'session' | 'transcription_session';
  buffer: { head: Buffer[]; bytes: number };
  active: { id: string; stop: AbortController } | undefined;
}

function newState(vendor: TextVendor, connection: RealtimeConnection, options: RealtimeOptions): SessionState {
  const { model, transcriptionOnly, beta } = options;
  const send = (event: object): void => void connection.send(event);
  const id = `sess_${vendor.newId().slice(0, 21)}`;
  const expiresAt = Math.floor(vendor.now() / 1000) + SESSION_SECONDS;
  return {
    ...options,
    vendor,
    connection,
    send,
    conversationId: `conv_${vendor.newId().slice(0, 21)}`,
    items: createItemList(send, beta),
    session: transcriptionOnly ? newTranscription(id, expiresAt, beta) : newSession(id, model, expiresAt, beta),
    sessionEvent: transcriptionOnly && beta ? 'transcription_session' : 'session',
    buffer: { head: [], bytes: 0 },
    active: undefined,
  };
}

function sendTranscript({ send }: SessionState, itemId: string, transcript: string, seconds: number): void {
  const { total_tokens, input_tokens, output_tokens, input_token_details } = realtimeUsage({
    inputText: '',
    recordedSeconds: seconds,
    output: transcript,
    spokenSeconds: 0,
  });
  const details = { text_tokens: 0, audio_tokens: input_token_details.audio_tokens };
  const usage = { type: 'tokens', total_tokens, input_tokens, input_token_details: details, output_tokens };
  const where = { item_id: itemId, content_index: 0 };
  send({ type: 'conversation.item.input_audio_transcription.completed', ...where, transcript, usage });
}

function commitAudio(state: SessionState): void {
  const { send, items, vendor } = state;
  const { head, bytes } = state.buffer;
  if (bytes < MIN_BYTES) {
    const has = `buffer only has ${((bytes / MIN_BYTES) * 100).toFixed(2)}ms of audio.`;
    const message = `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but ${has}`;
    throw openAiError(400, message, { code: 'input_audio_buffer_commit_empty' });
  }
  state.buffer = { head: [], bytes: 0 };
  const { text, seconds } = readSamples(Buffer.concat(head), bytes);
  const content = [{ type: 'input_audio', audio: '', transcript: null }] as const;
  const item = storeItem({ type: 'message', role: 'user', content: [...content] }, vendor.newId);
  const previous_item_id = items.all().at(-1)?.object.id ?? null;
  send({ type: 'input_audio_buffer.committed', previous_item_id, item_id: item.object.id });
  items.add({ ...item, text, recordedSeconds: seconds });
  const isTranscribed = state.transcriptionOnly || traitsOf(state.session).transcribes;
  if (isTranscribed) sendTranscript(state, item.object.id, text, seconds);
}

async function runResponse(state: SessionState, task: ResponseTask): Promise<void> {
  const item = await respond(state.connection, task);
  state.active = undefined;
  if (item !== undefined && task.conversationId !== null) state.items.append(item);
}

function createResponse(state: SessionState, params: ResponseParams): void {
  const { vendor, model, beta } = state;
  if (state.transcriptionOnly)
    throw openAiError(400, 'A transcription session has no responses.', { code: 'invalid_event' });
  if (state.active !== undefined) {
    const message = `Conversation already has an active response in progress: ${state.active.id}. Wait until the response is finished before creating a new one.`;
    throw openAiError(400, message, { code: 'conversation_already_has_active_response' });
  }
  const { instructions, modality } = traitsOf(updateSession(state.session, params));
  const items = params.input?.map((item) => storeItem(item, vendor.newId)) ?? state.items.all();
  const directiveText = lastUserInput(items);
  const stop = new AbortController();
  const id = `resp_${vendor.newId().slice(0, 21)}`;
  state.active = { id, stop };
  void runResponse(state, {
    id,
    itemId: `item_${vendor.newId().slice(0, 21)}`,
    conversationId: params.conversation === 'none' ? null : state.conversationId,
    model,
    instructions,
    modality,
    beta,
    metadata: params.metadata ?? null,
    items,
    directiveText,
    fault: vendor.faults.next('realtime', directiveText),
    stop: stop.signal,
  });
}

function isTranscription(session: object): boolean {
  return 'type' in session && session.type === 'transcription';
}

function changeSession(
  state: SessionState,
  event: Extract<ClientEvent, { type: 'session.update' | 'transcription_session.update' }>,
): void {
  const isForTranscription = event.type === 'transcription_session.update' || isTranscription(event.session);
  if (isForTranscription !== state.transcriptionOnly) {
    const [sent, here] = isForTranscription ? ['transcription', 'realtime'] : ['realtime', 'transcription'];
    const message = `Passing a ${sent} session update event to a ${here} session is not allowed.`;
    throw invalidParameter('session.type', message, 'invalid_value');
  }
  if ('model' in event.session && event.session.model !== state.model) {
    const message = 'The model of a session cannot be changed.';
    throw invalidParameter('session.model', message, 'cannot_update_model');
  }
  state.session = updateSession(state.session, event.session);
  state.send({ type: `${state.sessionEvent}.updated`, session: state.session });
}

function cancelResponse({ active }: SessionState, responseId: string | undefined): void {
  if (active === undefined || (responseId ?? active.id) !== active.id) {
    const message = 'Cancellation failed: no active response found';
    throw openAiError(400, message, { code: 'response_cancel_not_active' });
  }
  active.stop.abort();
}

function handle(state: SessionState, event: ClientEvent): void {
  const { send, items, vendor } = state;
  switch (event.type) {
    case 'session.update':
    case 'transcription_session.update':
      return changeSession(state, event);
    case 'conversation.item.create':
      return items.add(storeItem(event.item, vendor.newId), event.previous_item_id);
    case 'conversation.item.retrieve':
      return send({ type: 'conversation.item.retrieved', item: items.find(event.item_id).object });
    case 'conversation.item.delete':
      items.remove(event.item_id);
      return send({ type: 'conversation.item.deleted', item_id: event.item_id });
    case 'conversation.item.truncate': {
      const { item_id, content_index, audio_end_ms } = event;
      items.find(item_id);
      return send({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms });
    }
    case 'input_audio_buffer.append': {
      const chunk = Buffer.from(event.audio, 'base64');
      if (state.buffer.bytes < HEAD_BYTES) state.buffer.head.push(chunk);
      state.buffer.bytes += chunk.length;
      return;
    }
    case 'input_audio_buffer.commit':
      return commitAudio(state);
    case 'input_audio_buffer.clear':
      state.buffer = { head: [], bytes: 0 };
      return send({ type: 'input_audio_buffer.cleared' });
    case 'response.create':
      return createResponse(state, event.response ?? {});
    case 'response.cancel':
      return cancelResponse(state, event.response_id);
  }
}

function sendError({ send }: SessionState, problem: WireError, message: unknown): void {
  const { error }: { error?: object } = Object(problem.body(''));
  const eventId: unknown = Object(message).event_id;
  send({ type: 'error', error: { ...error, event_id: typeof eventId === 'string' ? eventId : null } });
}

/**
 * Handles frames in order. It also reads frames while a response is sent, so that clients can cancel the response. Only
 * one response is active at a time.
 */
export function openRealtime(vendor: TextVendor, connection: RealtimeConnection, options: RealtimeOptions) {
  const state = newState(vendor, connection, options);
  const { send, conversationId, session } = state;
  send({ type: `${state.sessionEvent}.created`, session });
  if (options.beta && !options.transcriptionOnly)
    send({ type: 'conversation.created', conversation: { id: conversationId, object: 'realtime.conversation' } });
  return {
    receive(frame: Buffer, isBinary: boolean): void {
      const message = isBinary ? undefined : parseJson(frame.toString());
      try {
        if (!isObject(message)) {
          throw openAiError(400, 'Expected a JSON object in a text frame.', { code: 'invalid_json' });
        }
        handle(state, readClientEvent(message, options.beta));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        sendError(state, error, message);
      }
    },
    end: () => state.active?.stop.abort(),
  };
}
