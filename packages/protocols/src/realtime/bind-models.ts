import { isRecord } from '../json/is-record.ts';
import { otherModelError } from '../text/other-model-error.ts';
import { RefusedEvent } from './refused-event.ts';

/** The only model that a client is allowed to name. */
export interface OnlyModel {
  requestedName: string;
  upstreamName: string;
}

/** Audio settings of a session, in the GA and beta APIs. */
const AUDIO_SETTINGS = ['audio', 'input_audio_transcription'] as const;

/** Maximum length of a path in an error, because the client chooses the field names. */
const MAX_PATH_LENGTH = 200;

/**
 * Rejects an event that names a model other than the session's (e.g. a transcription model), because the vendor would
 * run and bill it. Replaces the session's model name with the upstream's name.
 * @throws RefusedEvent
 */
export function bindModels(event: Record<string, unknown>, only: OnlyModel): Record<string, unknown> {
  const eventId = event['event_id'];
  const refuse = (path: string): never => {
    const error = otherModelError(path.slice(0, MAX_PATH_LENGTH));
    throw new RefusedEvent(error, typeof eventId === 'string' ? eventId : undefined);
  };
  const bindSettings = (holder: Record<string, unknown>, prefix: string): Record<string, unknown> => {
    const ambiguous = Object.keys(holder).find(mayBeReadAsModel);
    if (ambiguous !== undefined) refuse(`${prefix}${ambiguous}`);
    const bound: Record<string, unknown> = { ...holder };
    for (const name of AUDIO_SETTINGS) {
      if (Object.hasOwn(holder, name)) bound[name] = bind(holder[name], `${prefix}${name}`);
    }
    return bound;
  };
  const bind = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one, index) => bind(one, `${path}[${index}]`));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const memberPath = `${path}.${name}`;
        if (mayBeReadAsModel(name)) return refuse(memberPath);
        if (name !== 'model' || member === undefined || member === null) return [name, bind(member, memberPath)];
        if (member === only.requestedName || member === only.upstreamName) return [name, only.upstreamName];
        return refuse(memberPath);
      }),
    );
  };
  const { session, response } = event;
  return {
    ...bindSettings(event, ''),
    ...(isRecord(session) && { session: bindSettings(session, 'session.') }),
    ...(isRecord(response) && { response: bindSettings(response, 'response.') }),
  };
}

/**
 * Whether an upstream could read the name as `model`. Upstreams in Go ignore case, and C libraries end a name at a null
 * character.
 */
function mayBeReadAsModel(name: string): boolean {
  return name !== 'model' && /^model(?:\0|$)/i.test(name);
}
