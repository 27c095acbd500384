import { isRecord } from '../is-record.ts';
import { bufferOf, jsonOf } from './frame-text.ts';

/**
 * Puts the upstream's name for the model into a client's `session.update` that names one, in the spelling of GA and of the
 * beta alike: a session keeps the model that it was opened with, and no client can slip past what its key may use.
 * @param model undefined: the session was opened without one, and so the field is left out
 * @returns the frame as it came where there is nothing to change
 * @throws RangeError for one that is nested too deeply to be written again
 */
export function editClientEvent(data: Uint8Array, model: string | undefined): Uint8Array {
  if (!mayNameModel(data)) return data;
  const event = jsonOf(data);
  if (!isRecord(event) || event['type'] !== 'session.update') return data;
  const { session } = event;
  if (!isRecord(session) || !('model' in session)) return data;
  const { model: _theirs, ...rest } = session;
  return Buffer.from(JSON.stringify({ ...event, session: { ...rest, ...(model !== undefined && { model }) } }));
}

/**
 * Whether a frame has to be parsed, by a search that costs next to nothing: audio and pictures are long and have neither
 * word. Names may be spelled with escapes as well, of which base64 has none.
 */
function mayNameModel(data: Uint8Array): boolean {
  const bytes = bufferOf(data);
  return bytes.includes(String.raw`\u`) || (bytes.includes('session.update') && bytes.includes('"model"'));
}
