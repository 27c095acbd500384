import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import { type JsonObject, objectOrEmpty, parseObject } from '../json/values.ts';
import { keepAliveOf } from '../stream/keep-alive.ts';
import type { ResponseContext, StreamEncoder, TextProtocol } from '../contracts/text-protocol.ts';
import type { ResponseProgress, ResponseWriter } from './response-writer.ts';
import { recordItemId, responseIdIn } from './response-ids.ts';
import { asBinaryText } from './binary-text.ts';
import { createFrameCutter } from './frame-cutter.ts';
import { plainFrame } from '../stream/plain-frame.ts';
import { readFrameState, truncatedStream } from './frame-state.ts';
import { jsonMembers } from './json-members.ts';
import { editObject } from './relay-edits.ts';
import { type Scrub, scrubError } from './scrub-error.ts';
import { recordUsage } from './record-usage.ts';

export interface RelayStreamOptions {
  protocol: TextProtocol;
  /** The model's name for the client. */
  model: string;
  framing: ResponseContext['framing'];
  /** Called only to report an error in the client's protocol. */
  context: () => ResponseContext;
  withholdUsage: boolean;
  scrub: Scrub;
  /** Whether a stream without events is complete, because the client has received all of them before. */
  mayBeEmpty?: boolean;
}

/**
 * Relays a stream frame by frame, so that an error can be sent between two frames. `relay-edits.ts` lists all changes.
 */
export function relayStream(options: RelayStreamOptions): ResponseWriter {
  const { protocol, context, framing, mayBeEmpty = false } = options;
  const progress: RelayProgress = { isFinished: false };
  const isArray = framing === 'json-array';
  const editFrame = createFrameEditor(options, progress);
  const cutter = createFrameCutter();
  let encoder: StreamEncoder | undefined;
  let hasElements = false;
  let hasEvents = false;

  function write(received: string): string {
    const frame = plainFrame(received);
    const start = dataStart(frame);
    if (start === -1) return isArray ? '' : frame;
    hasEvents = true;
    const end = dataEnd(frame, start);
    const edited = editFrame(frame.slice(start, end));
    if (edited === undefined) return '';
    if (!isArray) return frame.slice(0, start) + edited + frame.slice(end);
    const lead = hasElements ? ',\r\n' : '[';
    hasElements = true;
    return lead + edited;
  }

  return {
    encoding: 'latin1',
    progress,
    push: (chunk) => {
      try {
        let out = '';
        for (const frame of cutter.push(chunk)) out += write(frame);
        return out;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        progress.failed = error;
        return '';
      }
    },
    end: () => {
      const rest = cutter.rest().trimEnd();
      const last = rest === '' ? '' : write(`${rest}\n\n`);
      const isComplete = progress.isFinished || (mayBeEmpty && !hasEvents);
      if (!isComplete && !progress.failed) progress.failed = truncatedStream();
      return last + (isArray && progress.isFinished ? `${hasElements ? '' : '['}]` : '');
    },
    fail: (error) => {
      const ending = progress.lastResponse && protocol.encodeBreak?.(error, ...lastEvent(progress));
      if (ending) return asBinaryText(ending);
      encoder ??= protocol.encodeStream(context());
      const text = encoder.fail(error);
      // Replaces the encoder's opening bracket with a comma, because the array already has elements.
      return asBinaryText(isArray && hasElements ? `,\r\n${text.replace(/^\s*\[/, '')}` : text);
    },
    keepAlive: () => keepAliveOf(protocol.name, isArray),
  };
}

/** State of a responses stream, whose events carry sequence numbers. */
interface RelayProgress extends ResponseProgress {
  lastData?: string;
}

/** Returns the response that the client received last, and the last event's sequence number. */
function lastEvent({ lastResponse = '', lastData = '' }: RelayProgress): [JsonObject, number] {
  const event = parseObject(Buffer.from(lastResponse, 'latin1').toString());
  return [objectOrEmpty(event?.['response']), Number(/"sequence_number"\s*:\s*(\d+)/.exec(lastData)?.[1] ?? 0)];
}

/** Returns the position of a plain frame's JSON, or -1 if the frame has no data. */
function dataStart(frame: string): number {
  const isFirst = frame.startsWith('data:');
  const line = isFirst ? 0 : frame.indexOf('\ndata:') + 1;
  if (line === 0 && !isFirst) return -1;
  const start = line + 'data:'.length;
  return frame[start] === ' ' ? start + 1 : start;
}

function dataEnd(frame: string, start: number): number {
  const feed = frame.indexOf('\n', start);
  return frame[feed - 1] === '\r' ? feed - 1 : feed;
}

/** @returns undefined to withhold the frame */
type EditFrame = (data: string) => string | undefined;

function createFrameEditor(
  { protocol, model, withholdUsage, scrub }: RelayStreamOptions,
  progress: RelayProgress,
): EditFrame {
  const rename = createRename(protocol.name, model);
  return (data) => {
    const { isFinish, isLast, error } = readFrameState(protocol, data);
    if (isFinish) progress.isFinished = true;
    if (isLast) progress.isEnded = true;
    if (error && !progress.isFinished) {
      progress.failed = error;
      progress.isReported = true;
    }
    if (data.includes('"usage')) {
      const isOnlyUsage = recordUsage(protocol, data, progress);
      if (withholdUsage && isOnlyUsage) return undefined;
    }
    return rename(error ? scrubError(protocol.name, data, scrub) : data, progress);
  };
}

function createRename(name: TextProtocolName, clientModel: string) {
  switch (name) {
    case 'chat-completions':
      return renameChat(clientModel);
    case 'generative-content':
      return (data: string) => editObject(name, data, clientModel);
    case 'messages':
      return (data: string) =>
        data.includes('"message_start"') ? editInner(name, data, 'message', clientModel) : data;
    case 'responses':
      return (data: string, progress: RelayProgress) => {
        progress.lastData = data;
        if (data.includes('"response.output_item.done"')) recordItemId(data, progress);
        if (!data.includes('"response":')) return data;
        progress.responseId ??= responseIdIn(data, 'response');
        progress.lastResponse = editInner(name, data, 'response', clientModel);
        return progress.lastResponse;
      };
  }
}

/** All chunks of a chat stream normally begin with the same text. Only chunks that begin differently are parsed. */
function renameChat(clientModel: string): (data: string) => string {
  let head = '';
  let renamed = '';
  return (data) => {
    if (head !== '' && data.startsWith(head)) return renamed + data.slice(head.length);
    const member = jsonMembers(data)?.get('model');
    if (!member) return data;
    head = data.slice(0, member.end);
    renamed = data.slice(0, member.start) + asBinaryText(JSON.stringify(clientModel));
    return renamed + data.slice(member.end);
  };
}

function editInner(name: TextProtocolName, data: string, member: string, clientModel: string): string {
  const position = jsonMembers(data)?.get(member);
  if (!position) return data;
  const inner = data.slice(position.start, position.end);
  const edited = editObject(name, inner, clientModel);
  return edited === inner ? data : data.slice(0, position.start) + edited + data.slice(position.end);
}
