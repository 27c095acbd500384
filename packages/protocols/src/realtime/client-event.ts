import { isRecord } from '../json/is-record.ts';
import { bindModels, type OnlyModel } from './bind-models.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';

/**
 * Keeps a session at the model that its key was authorized for. In an event's `session`, and on its top level as in
 * vLLM, the upstream's name replaces the client's; a `response` has none. An event that may name a model is serialized
 * again, so that the upstream cannot read another of two fields with the same name.
 * @param model undefined removes the field, for a session without a model
 * @param isText binary frames are events only if they start like one
 * @param only restricts other models too, such as a transcription model
 * @throws SyntaxError for invalid JSON, RangeError for an event that is nested too deeply to serialize, RefusedEvent for
 *   another model than `only`
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

/** Avoids parsing: audio and images are long, and base64 contains neither the name nor escapes. */
function mayNameModel(data: Uint8Array, isBound: boolean): boolean {
  const bytes = bufferOf(data);
  if (isBound && /"model"/i.test(bytes.toString('latin1'))) return true;
  return bytes.includes('"model"') || bytes.includes(String.raw`\u00`);
}
