import { isRecord } from '../json/is-record.ts';
import { bindModels, type OnlyModel } from './bind-models.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';

/**
 * Prevents a client from naming a model, so that a session keeps the one that its key was authorized for. In an event's
 * `session`, and on its top level as in vLLM, the upstream's name replaces the client's; a `response` has none. An
 * event
 * that may name a model is serialized again, so that the upstream cannot read another of two fields with the same name.
 * @param model undefined if the session was opened without one, so that the field is removed
 * @param isText binary frames are events only if they start like one
 * @param only restricts other models too, such as a transcription model; absent if the client may choose them
 * @returns the frame unchanged if nothing in it can name a model
 * @throws SyntaxError for invalid JSON, RangeError for an event that is nested too deeply to serialize, RefusedEvent
 * for
 *   another model than `only`
 */
export function editClientEvent(
  data: Uint8Array,
  model: string | undefined,
  isText: boolean,
  only?: OnlyModel,
): Uint8Array {
  if (!mayNameModel(data) || (!isText && !looksLikeObject(data))) return data;
  const said = jsonOf(data);
  if (said === undefined) throw new SyntaxError('no JSON');
  if (!isRecord(said)) return data;
  const event = only ? bindModels(said, only) : said;
  const { session, response } = event;
  return Buffer.from(
    JSON.stringify({
      ...withModel(event, model),
      ...(isRecord(session) && { session: withModel(session, model) }),
      ...(isRecord(response) && { response: withModel(response, undefined) }),
    }),
  );
}

function withModel(value: Record<string, unknown>, model: string | undefined): Record<string, unknown> {
  if (!Object.hasOwn(value, 'model')) return value;
  const { model: _theirs, ...rest } = value;
  return model === undefined ? rest : { ...rest, model };
}

/**
 * Searches a frame to avoid parsing it: audio and images are long and contain neither field name. Names may be escaped
 * too,
 * which base64 never contains.
 */
function mayNameModel(data: Uint8Array): boolean {
  const bytes = bufferOf(data);
  return bytes.includes('"model"') || bytes.includes(String.raw`\u00`);
}
