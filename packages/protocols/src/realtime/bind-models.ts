import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { RefusedEvent } from './refused-event.ts';

/** The one model that a client may name. */
export interface OnlyModel {
  /** The client's name of it. */
  ours: string;
  /** The upstream's. */
  theirs: string;
}

/** Members of a session that say how audio is treated, in the GA and in the beta; what stands in them is the vendor's. */
const TREATMENTS = ['audio', 'input_audio_transcription'] as const;

const MAX_PATH_LENGTH = 200;

/**
 * Lets an event name no other model beside that of its session: a vendor would run and bill it, such as one that writes
 * down what is heard. The one that was asked for gets the upstream's name.
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

/** @param place names of members may be the client's, and of any length */
function refusal(place: string): GatewayError {
  const param = place.slice(0, MAX_PATH_LENGTH);
  return new GatewayError(
    'unsupported_parameter',
    `${param} names another model than the one that is asked for, which this API key's models or budget forbid.`,
    { param },
  );
}
