import { isRecord } from '../json/is-record.ts';
import { bindModels, type OnlyModel } from './bind-models.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';

/**
 * Lets no client name a model: a session keeps the one that it was opened with, so that nobody slips past what his key may
 * use. In an event's `session`, and on its top level as vLLM has it, the upstream's name takes the place of the client's; a
 * `response` has none. Whatever may name a model is written anew, so that the upstream reads what was read here, and not the
 * other one of two fields of the same name.
 * @param model undefined: the session was opened without one, and so the field is left out
 * @param isText binary frames are events only where they begin as one does
 * @param only what is beside the session's model, such as one that writes down, has to be this one, too; absent: it is the
 *   client's choice
 * @returns the frame as it came where nothing in it can name a model
 * @throws SyntaxError for one that cannot be read, RangeError for one that is nested too deeply to be written again,
 *   RefusedEvent for one that names another model than the `only` one
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
 * Whether a frame has to be parsed, by a search that costs next to nothing: audio and pictures are long and have neither
 * word. Names may be spelled with escapes as well, of which base64 has none.
 */
function mayNameModel(data: Uint8Array): boolean {
  const bytes = bufferOf(data);
  return bytes.includes('"model"') || bytes.includes(String.raw`\u00`);
}
