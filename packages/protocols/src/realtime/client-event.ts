import { isRecord } from '../json/is-record.ts';
import { bindModels, type OnlyModel } from './bind-models.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';

/**
 * Restricts a session to the model that its key is authorized for. Replaces the client's model name with the upstream's
 * name in an event's `session` field and at the top level, where vLLM expects it. A `response` has no model. An event
 * that could name a model is serialized again, so that the upstream cannot read a duplicate field.
 * @param model upstream's model name; undefined removes the field, for a session without a model
 * @param isText whether the frame is text; a binary frame is an event only if it starts like JSON
 * @param only if set, also rejects other models (e.g. a transcription model)
 * @throws SyntaxError for invalid JSON, RangeError for an event that is nested too deeply to serialize, RefusedEvent
 * for a model other than `only`
 */
export function editClientEvent(
  data: Uint8Array,
  model: string | undefined,
  isText: boolean,
  only?: OnlyModel,
): Uint8Array {
  if (!mayNameModel(data, only !== undefined) || (!isText && !looksLikeObject(data))) return data;
  const json = jsonOf(data);
  if (json === undefined) throw new SyntaxError('no JSON');
  if (!isRecord(json)) return data;
  const event = only ? bindModels(json, only) : json;
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
  const { model: _model, ...rest } = value;
  return model === undefined ? rest : { ...rest, model };
}

/** Avoids parsing long events. Audio and images are base64, which contains neither the field name nor escapes. */
function mayNameModel(data: Uint8Array, isBound: boolean): boolean {
  const bytes = bufferOf(data);
  if (isBound && /"model"/i.test(bytes.toString('latin1'))) return true;
  return bytes.includes('"model"') || bytes.includes(String.raw`\u00`);
}
