import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { RefusedEvent } from './refused-event.ts';

/** The only model that a client may name. */
export interface OnlyModel {
  /** The client's name of the model. */
  ours: string;
  /** The upstream's name of the model. */
  theirs: string;
}

/** Fields of a session with audio settings, in the GA and the beta; their models are the vendor's. */
const TREATMENTS = ['audio', 'input_audio_transcription'] as const;

const MAX_PATH_LENGTH = 200;

/**
 * Rejects any model in an event besides that of its session, such as a transcription model: the vendor would run and
 * bill
 * it. The session's model gets the upstream's name.
 * @throws RefusedEvent
 */
export function bindModels(event: Record<string, unknown>, only: OnlyModel): Record<string, unknown> {
  const eventId = event['event_id'];
  const bindHolder = (holder: Record<string, unknown>, at: string): Record<string, unknown> => {
    const bound: Record<string, unknown> = { ...holder };
    for (const name of TREATMENTS) {
      if (Object.hasOwn(holder, name)) bound[name] = bind(holder[name], `${at}${name}`);
    }
    return bound;
  };
  const bind = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((one, index) => bind(one, `${at}[${index}]`));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const place = `${at}.${name}`;
        if (name !== 'model' || member === undefined || member === null) return [name, bind(member, place)];
        if (member === only.ours || member === only.theirs) return [name, only.theirs];
        throw new RefusedEvent(refusal(place), typeof eventId === 'string' ? eventId : undefined);
      }),
    );
  };
  const { session, response } = event;
  return {
    ...bindHolder(event, ''),
    ...(isRecord(session) && { session: bindHolder(session, 'session.') }),
    ...(isRecord(response) && { response: bindHolder(response, 'response.') }),
  };
}

/** @param place names of fields come from the client and may have any length */
function refusal(place: string): GatewayError {
  const param = place.slice(0, MAX_PATH_LENGTH);
  return new GatewayError(
    'unsupported_parameter',
    `${param} must be the model of the session: the models or the budget of this API key forbid others.`,
    { param },
  );
}
