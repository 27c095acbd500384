import { readSamples } from '../../media/audio/read-samples.ts';
import { plainRequest, systemTurns, type TextRequest, type Turn } from '../../text/text-request.ts';
import type { RealtimeItem } from './client-event.ts';
import { withoutRealtimeDirectives } from '../../directives/realtime-directives.ts';

type ItemObject = RealtimeItem & { id: string; object: 'realtime.item'; status: string };

/** An item and its transcript. Responses contain the transcript instead of the audio. */
export interface StoredItem {
  object: ItemObject;
  text: string;
  images: number;
  recordedSeconds: number;
}

type Content = Extract<RealtimeItem, { type: 'message' }>['content'][number];

/** Returns the part without its audio, in the format of responses. */
function storePart(part: Content): { object: Content; text: string; images: number; seconds: number } {
  const nothing = { object: part, text: '', images: 0, seconds: 0 };
  if (part.type === 'input_image') return { ...nothing, images: 1 };
  if ('text' in part) return { ...nothing, text: part.text };
  if (part.type !== 'input_audio') return { ...nothing, text: part.transcript ?? '' };
  const { text, seconds } = readSamples(Buffer.from(part.audio, 'base64'));
  return { object: { ...part, audio: '', transcript: part.transcript ?? null }, text, images: 0, seconds };
}

export function storeItem(item: RealtimeItem, newId: () => string): StoredItem {
  const head = { id: item.id ?? `item_${newId().slice(0, 21)}`, object: 'realtime.item', status: 'completed' } as const;
  if (item.type !== 'message') {
    const text = item.type === 'function_call' ? '' : item.output;
    return { object: { ...item, ...head }, text, images: 0, recordedSeconds: 0 };
  }
  const parts = item.content.map(storePart);
  // The cast is safe because the parts keep their types.
  const object = { ...item, ...head, content: parts.map((part) => part.object) } as ItemObject;
  const [images, recordedSeconds] = [
    parts.reduce((sum, part) => sum + part.images, 0),
    parts.reduce((sum, part) => sum + part.seconds, 0),
  ];
  return { object, text: parts.map(({ text }) => text).join('\n'), images, recordedSeconds };
}

function turnOf({ object, text, images }: StoredItem, items: readonly StoredItem[]): Turn[] {
  if (object.type === 'message') return [{ role: object.role, text: withoutRealtimeDirectives(text), images }];
  if (object.type === 'function_call') return [];
  const call = items.find(({ object: other }) => other.type === 'function_call' && other.call_id === object.call_id);
  const name = call?.object.type === 'function_call' ? call.object.name : object.call_id;
  return [{ role: 'tool', results: [{ name, text, images: 0, failed: false }] }];
}

export function decodeRealtimeRequest(model: string, instructions: string, items: readonly StoredItem[]): TextRequest {
  return {
    ...plainRequest(model, ''),
    turns: [...systemTurns(instructions), ...items.flatMap((item) => turnOf(item, items))],
  };
}

export function lastUserInput(items: readonly StoredItem[]): string {
  const last = items.findLast(({ object, text }) => object.type === 'message' && object.role === 'user' && text !== '');
  return last?.text ?? '';
}
